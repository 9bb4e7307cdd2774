import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRecordingFile, type RecordingFile } from '../../../activities/recording/recording-file.ts';
import { createReplayProvider } from '../../../activities/providers/replay.ts';
import { coordinates, onlyOf, question, unhurried } from '../providers/questions.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const [first, second] = ['a'.repeat(64), 'b'.repeat(64)];
const reply = (text: string) => ({
  ...({ text, finishReason: 'stop', returnedModel: 'm', fingerprint: null, logprobs: null } as const),
  ...{ inputTokens: 3, cachedTokens: null, outputTokens: 5, reasoningTokens: null },
});
const append = (file: RecordingFile, requestSha256: string, ...texts: string[]) =>
  file.append({ requestSha256, replies: texts.map(reply), simulated: false });
const newPath = (): string => join(temporaryFolder(), 'replies.jsonl');
const linesOf = (path: string): object[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);

test('a request answered again gets the next sample, also by a later recorder; a replay gives each', async () => {
  const path = newPath();
  const one = await openRecordingFile(path);
  await Promise.all([append(one, first, 'x0', 'x1'), append(one, second, 'y0')]);
  await one.close();
  const other = await openRecordingFile(path);
  expect(other.counts).toEqual({ replies: 3, changed: 1, removedBytes: 0 });
  await append(other, first, 'x2');
  await other.close();
  expect(linesOf(path)).toMatchObject([
    { request_sha256: first, reply: 'x0', model: 'm', input_tokens: 3, output_tokens: 5, finish_reason: 'stop' },
    { request_sha256: first, sample: 1, reply: 'x1' },
    { request_sha256: second, reply: 'y0' },
    { request_sha256: first, sample: 2, reply: 'x2' },
  ]);
  const provider = await createReplayProvider({ file: path, sha256: null });
  const given = (requestSha256: string, sample: number) =>
    onlyOf(provider.ask(question, { ...coordinates, requestSha256, sample }, unhurried));
  const texts = await Promise.all([0, 1, 2, 3].map(async (sample) => (await given(first, sample)).text));
  await provider.close();
  expect(texts).toEqual(['x0', 'x1', 'x2', 'x0']);
});

test.each([
  ['cut in its text', (line: string) => line.slice(0, 100), 1],
  ['cut in its first field', (line: string) => line.slice(0, 5), 1],
  ['whole, but without its line feed', (line: string) => line.trimEnd(), 2],
])('a last line that a crash left %s', async (_what, left, lines) => {
  const path = newPath();
  const file = await openRecordingFile(path);
  await append(file, first, 'kept');
  await append(file, second, 'lost');
  await file.close();
  const [kept = '', lost = ''] = readFileSync(path, 'utf8').split(/(?<=\n)/);
  writeFileSync(path, kept + left(lost));
  const again = await openRecordingFile(path);
  expect(again.counts.replies).toBe(lines);
  expect(again.counts.removedBytes).toBe(lines === 2 ? 0 : left(lost).length);
  await append(again, second, 'asked again');
  await again.close();
  expect(linesOf(path)).toHaveLength(lines + 1);
});

test.each([
  ['another text', 'no JSON, and no line feed', /invalid recorded reply/],
  ['a recording of another kind', '{"task_id":"T/1","reply":"x"}\n', /was not written by `record`/],
])('%s is refused and stays as it is', async (_what, text, message) => {
  const path = newPath();
  writeFileSync(path, text);
  await expect(openRecordingFile(path)).rejects.toThrow(message);
  expect(readFileSync(path, 'utf8').trimEnd()).toBe(text.trimEnd());
});

test('a second writer is noticed before anything is written between its lines', async () => {
  const path = newPath();
  const file = await openRecordingFile(path);
  await append(file, first, 'x');
  appendFileSync(path, 'from elsewhere\n');
  await expect(append(file, second, 'y')).rejects.toThrow(/another program writes to it/);
  await expect(file.broken).rejects.toThrow(/another program writes to it/);
  await file.close();
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
});

test('a second recorder of a file is refused until the first has closed it, also by another path', async () => {
  const path = newPath();
  const file = await openRecordingFile(path);
  await append(file, first, 'x');
  const link = `${path}.link`;
  symlinkSync(path, link);
  for (const other of [path, link])
    await expect(openRecordingFile(other)).rejects.toThrow('another recorder writes to it: stop that one first');
  await append(file, second, 'y');
  await file.close();
  const again = await openRecordingFile(link);
  expect(again.counts.replies).toBe(2);
  await again.close();
  expect(readdirSync(join(path, '..')).toSorted()).toEqual(['replies.jsonl', 'replies.jsonl.link']);
});

test('a recorder that was killed keeps nobody from its file', async () => {
  const path = newPath();
  const module = JSON.stringify(join(import.meta.dirname, '../../../activities/recording/recording-file.ts'));
  const script = `(await import(${module})).openRecordingFile(${JSON.stringify(path)}).then(() => console.log('open'));
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  await expect(openRecordingFile(path)).rejects.toThrow('another recorder writes to it');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const file = await openRecordingFile(path);
  await append(file, first, 'x');
  await file.close();
  expect(linesOf(path)).toHaveLength(1);
});

test.each(['/dev/zero', 'a pipe'])('%s is no file to record to, or to replay', async (name) => {
  const path = name.startsWith('/') ? name : newPath();
  if (path !== name) execFileSync('mkfifo', [path]);
  const rule = 'must be a regular file, got a device, pipe or socket';
  await expect(openRecordingFile(path)).rejects.toThrow(rule);
  await expect(createReplayProvider({ file: path, sha256: null })).rejects.toThrow(rule);
});
