/** Variant sets as people bring them, mangled: each refusal names file, line and field, before anything is made. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { readVariantSets } from '../../../activities/exchange/import-variants.ts';
import { InputError } from '../../../domain/errors.ts';
import { promptseStudy } from '../../../schemas/spec/promptse.ts';
import type { Task } from '../../../schemas/task.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const tasks = [
  { taskId: 'Tiny/1', sourceTaskId: '1', prompt: 'def f(x):\n    """Double the value."""\n', entryPoint: 'f' },
] as unknown as Task[];
const politely = tasks[0]?.prompt.replace('Double', 'Please double');
const line = (change: object = {}): string =>
  `${JSON.stringify({ task_id: 'Tiny/1', distance: 0.1, prompt: politely, ...change })}\n`;
const whole = gzipSync(line().repeat(50));

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const read = (content: string | Uint8Array): Promise<unknown> => {
  writeFileSync(join(folder, 'set.jsonl'), content);
  const study = promptseStudy.parse({
    name: 'moods',
    kind: 'promptse',
    benchmark: 'b',
    settings: { variantSet: 'set.jsonl', variants: 1 },
  });
  return readVariantSets([study], folder, () => tasks);
};

test.each<[string, string | Uint8Array, string]>([
  ['a gzip file that is cut off', whole.subarray(0, whole.length - 12), '  the gzip file is truncated or damaged'],
  ['a line that is cut off', `${line()}{"task_id": "Ti`, ':2  invalid variant: not valid JSON'],
  [
    'a prompt that is a number',
    line() + line({ prompt: 7 }),
    ':2  prompt  invalid variant: expected text, got 7: put it in quotes',
  ],
  ['no task', line({ task_id: undefined }), ':1  task_id  invalid variant: is missing'],
  ['a list in place of lines', `[${line().trim()}]`, ':1  invalid variant: expected a map of keys, got a list'],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from(line()), Buffer.from('{"task_id":"caf'), Buffer.from([0xe9])]),
    ':2  this line is not valid UTF-8',
  ],
  ['nothing', '', '  has no variant of any task of study moods'],
  ['variants of other tasks', line({ task_id: 'Other/1' }), '  has no variant of any task of study moods'],
])('%s', async (_what, content, place) => {
  const refusal = await read(content).then(
    () => expect.fail('the set was accepted'),
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(InputError);
  expect((refusal as InputError).message).toContain(`${join(folder, 'set.jsonl')}${place}`);
});

test('plain, gzip whatever its name, with a mark of UTF-8 and with lines of Windows: the same set', async () => {
  for (const content of [line(), whole, `\uFEFF${line()}`, line().replace('\n', '\r\n\r\n')])
    await expect(read(content)).resolves.toBeDefined();
});

test('`plan` refuses a damaged set as `run` does: exit status 2, no stack trace', async () => {
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(folder, 'set.jsonl.gz'), whole.subarray(0, 40));
  writeFileSync(
    join(folder, 'spec.yaml'),
    'name: sets\nmodels: [{ id: a, provider: simulated }]\nbenchmarks: { b: { format: evenkeel, path: ' +
      'tiny.jsonl } }\nstudies: [{ name: s, kind: promptse, benchmark: b, settings: { variantSet: set.jsonl.gz } }]\n',
  );
  for (const verb of ['plan', 'run']) {
    const { status, stderr } = await runCommand([verb, join(folder, 'spec.yaml'), '--runs-dir', join(folder, 'runs')]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('set.jsonl.gz  the gzip file is truncated')]);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});
