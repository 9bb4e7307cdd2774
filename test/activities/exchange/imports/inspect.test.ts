/** Logs of Inspect, made by Inspect itself (test/fixtures/exchange/make_inspect.py), whole and damaged. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fixture, imported, repliesOf, written } from './reading.ts';

const archive = readFileSync(fixture('inspect', 'log.eval'));

test.each(['log.eval', 'log.json'])(
  '%s: replies in the order of epochs, tokens, the score as a verdict',
  async (name) => {
    const log = await imported('inspect', fixture('inspect', name));
    const replies = repliesOf(log);
    expect(replies.map(({ task, sample }) => `${task} ${sample}`)).toEqual(
      ['Starter/1', 'Starter/6', 'Starter/9'].flatMap((id) => [`${id} 0`, `${id} 1`]),
    );
    expect(replies[0]?.reply).toMatch(/^Here it is:\n\n```python\ndef count_rising_runs/);
    expect(replies.map(({ extracted }) => extracted)).toEqual(replies.map(() => undefined));
    // As common.py says: of each task the first sample is right on suite base, of the first task both are.
    expect(replies.map(({ recorded }) => recorded)).toEqual(
      [true, true, true, false, true, false].map((passed) => [{ by: 'inspect/verify', suite: 'all suites', passed }]),
    );
    expect(log.lines[0]).toMatchObject({
      model: 'mockllm/model',
      finish_reason: 'stop',
      input_tokens: 50,
      output_tokens: 20,
    });
  },
);

interface Log {
  version: number;
  status: string;
  eval: { model: string };
  samples:
    | { output: { choices: { message: { content: unknown }; stop_reason: string }[] }; [name: string]: unknown }[]
    | null;
}
const changed = (change: (log: Log) => void): string => {
  const log = JSON.parse(readFileSync(fixture('inspect', 'log.json'), 'utf8')) as Log;
  change(log);
  return written('log.json', JSON.stringify(log));
};
const first = (log: Log): NonNullable<Log['samples']>[number] => log.samples?.[0] as never;

test('parts that are no text are left, long texts are taken from the attachments, stops are renamed', async () => {
  const log = changed((one) => {
    const [choice] = first(one).output.choices;
    Object.assign(first(one), { attachments: { abc: 'the long text' } });
    Object.assign(choice ?? {}, { stop_reason: 'max_tokens' });
    if (choice !== undefined)
      choice.message.content = [
        { type: 'reasoning', reasoning: 'hm' },
        { type: 'text', text: 'attachment://abc' },
      ];
  });
  const { lines } = await imported('inspect', log);
  expect(lines[0]).toMatchObject({ reply: 'the long text', finish_reason: 'length' });
});

test('a score that is neither right nor wrong is no verdict; a sample with an error is no answer', async () => {
  const log = changed((one) => {
    Object.assign(first(one), { scores: { verify: { value: 0.5 }, other: { value: Number.NaN } } });
    Object.assign(one.samples?.[1] ?? {}, { error: { message: 'connection lost' }, output: { choices: [] } });
  });
  const { samples, faults, lines } = await imported('inspect', log);
  expect([samples, faults.map(({ taskId, fault }) => [taskId, fault])]).toEqual([
    5,
    [['Starter/6', 'connection lost']],
  ]);
  expect(lines[0]?.recorded).toBeUndefined();
});

test.each<[string, (log: Log) => void, RegExp]>([
  ['another version', (log) => Object.assign(log, { version: 1 }), /version {2}.*only logs of version 2/],
  [
    'no samples',
    (log) => Object.assign(log, { samples: null }),
    /has no samples: run Inspect without --no-log-samples/,
  ],
  ['a sample without an epoch', (log) => Object.assign(first(log), { epoch: undefined }), /samples\.0\.epoch/],
])('a log is refused with its place: %s', async (_what, change, message) => {
  const file = changed(change);
  await expect(imported('inspect', file)).rejects.toThrow(
    expect.objectContaining({ name: 'InputError', file, message: expect.stringMatching(message) }),
  );
});

/** The archive with one of its texts replaced by another of the same length. */
const patched = (from: string, to: string): Buffer => {
  const bytes = Buffer.from(archive);
  for (let at = bytes.indexOf(from); at >= 0; at = bytes.indexOf(from, at + 1)) bytes.write(to, at);
  return bytes;
};
/** Some compressed bytes of the first sample. */
const flipped = Buffer.from(archive).fill(0xff, archive.indexOf('samples/') + 60, archive.indexOf('samples/') + 64);
/** The size that the central directory declares for each member. */
const withSizes = (bytes: number): Buffer => {
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf('PK\u0001\u0002'); at >= 0; at = copy.indexOf('PK\u0001\u0002', at + 1))
    copy.writeUInt32LE(bytes, at + 24);
  return copy;
};

test('the log of an evaluation that was cut off has no header, but its beginning, and samples to judge', async () => {
  expect((await imported('inspect', written('log.eval', patched('header.json', 'hidden.json')))).samples).toBe(6);
});

const noHeader = patched('header.json', 'hidden.json');
for (let at = noHeader.indexOf('start.json'); at >= 0; at = noHeader.indexOf('start.json', at))
  noHeader.write('other', at);

test.each<[string, string | Buffer, RegExp]>([
  ['no zip archive', 'PK, but no archive', /log\.eval {2}is not a zip archive, or it is damaged/],
  ['cut off', archive.subarray(0, archive.length / 2), /log\.eval {2}is not a zip archive/],
  ['a damaged member', flipped, /log\.eval\/\S+ {2}is damaged/],
  ['a name that leaves the folder', patched('samples/Starter', '../mples/Starter'), /damaged \(invalid relative path/],
  ['neither header nor beginning', noHeader, /log\.eval {2}has no member header\.json/],
  ['a member that unpacks to more than it declares', withSizes(100), /more than the 100 bytes/],
  ['a huge member', withSizes(2 ** 30), /at most \d+ are read/],
])('an archive is refused with file and member: %s', async (_what, bytes, message) => {
  await expect(imported('inspect', written('log.eval', bytes))).rejects.toThrow(
    expect.objectContaining({ name: 'InputError', message: expect.stringMatching(message) }),
  );
});
