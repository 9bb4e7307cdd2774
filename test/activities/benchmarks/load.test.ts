import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BenchmarkRequest, loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { createSelection, type TaskSelection } from '../../../activities/benchmarks/selection.ts';
import type { Task } from '../../../schemas/task.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-load-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const record = (number: number): object => ({
  ...{ task_id: `mine/${number}`, prompt: 'Text ü.', entry_point: 'f', reference: 'def f(x): return x' },
  suites: { base: { inputs: [[number]] }, plus: { inputs: [[number]] } },
});
const lines = (count: number): string =>
  Array.from({ length: count }, (_, number) => `${JSON.stringify(record(number))}\n`).join('');

function written(content: string | Uint8Array): string {
  const path = join(folder, `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.jsonl`);
  writeFileSync(path, content);
  return path;
}
const request = (content: string | Uint8Array, more: Partial<BenchmarkRequest> = {}): BenchmarkRequest => ({
  ...{ name: 'mine', format: 'evenkeel', path: written(content), seed: 1 },
  ...more,
});
const ids = async (content: string, tasks: TaskSelection, seed = 1): Promise<string[]> =>
  (await loadBenchmark(request(content, { tasks, seed }))).tasks.map(({ taskId }) => taskId);

describe('loadBenchmark reads', () => {
  it('lines, with the hash of the stored bytes', async () => {
    const { tasks, fileSha256 } = await loadBenchmark(request(lines(3)));
    expect(tasks.map(({ taskId }) => taskId)).toEqual(['mine/0', 'mine/1', 'mine/2']);
    expect(fileSha256).toBe(createHash('sha256').update(lines(3)).digest('hex'));
  });

  it('gzip by its first bytes, whatever the name', async () => {
    const zipped = gzipSync(lines(2000));
    const { tasks, fileSha256 } = await loadBenchmark(request(zipped));
    expect(tasks).toHaveLength(2000);
    expect(fileSha256).toBe(createHash('sha256').update(zipped).digest('hex'));
  });

  it.each([
    ['one JSON array', JSON.stringify([record(0), record(1)], null, 1)],
    ['blank lines between and no line end at the last', `\n${lines(1)}\n  \n${JSON.stringify(record(1))}`],
    ['CRLF', lines(2).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\uFEFF${lines(2)}`],
  ])('%s', async (_name, content) => {
    const { tasks } = await loadBenchmark(request(content));
    expect(tasks.map(({ taskId }) => taskId)).toEqual(['mine/0', 'mine/1']);
  });
});

it('another rule of judging changes the records, the usual one does not', async () => {
  const hashOf = async (judging?: BenchmarkRequest['judging']) =>
    (await loadBenchmark(request(lines(1), { judging }))).tasks[0]?.recordSha256;
  const usual = { caseLimitMs: 1000, referenceFactor: 2, missingPackage: 'excluded' } as const;
  expect(await hashOf(usual)).toBe(await hashOf());
  const hashes = await Promise.all([
    hashOf(),
    hashOf({ ...usual, caseLimitMs: 4000 }),
    hashOf({ ...usual, missingPackage: 'failed' }),
  ]);
  expect(new Set(hashes).size).toBe(3);
});

it('the hash without the rule is that of the same record under the usual rule', async () => {
  const judging = { caseLimitMs: 4000, referenceFactor: 2, missingPackage: 'excluded' } as const;
  const loaded = async (more: Partial<BenchmarkRequest>) => (await loadBenchmark(request(lines(1), more))).tasks[0];
  const [usual, ruled] = [await loaded({}), await loaded({ judging })];
  const fewer = await loaded({ judging, suites: ['base'] });
  expect([ruled?.plainSha256, fewer?.plainSha256, usual?.plainSha256]).toEqual([
    ...Array.from({ length: 2 }, () => usual?.recordSha256),
    undefined,
  ]);
});

describe('loadBenchmark refuses', () => {
  const oneLine = JSON.stringify(record(0));
  it.each<readonly [string, string | Uint8Array, object, RegExp]>([
    ['a truncated gzip file', gzipSync(lines(500)).subarray(0, 200), {}, /gzip.*truncated/],
    ['a damaged gzip file', Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.from('no gzip at all')]), {}, /gzip/],
    ['a truncated line', `${lines(2)}{"task_id": "mine/9", "pro`, { line: 3 }, /not valid JSON/],
    ['a truncated JSON array', `[${oneLine},\n${oneLine.slice(0, 40)}`, { line: 2 }, /not valid JSON/],
    ['a wrong field', `${lines(1)}${oneLine.replace('"f"', '7')}\n`, { line: 2, field: 'entry_point' }, /entry_point/],
    [
      'a wrong field in an array',
      JSON.stringify([record(0), { ...record(1), prompt: 5 }]),
      { line: null, field: '[1].prompt' },
      /prompt/,
    ],
    ['a missing field', `${oneLine.replace('"prompt"', '"promt"')}\n`, { line: 1, field: 'prompt' }, /prompt/],
    ['an array as a line of its own', `${lines(1)}[1, 2]\n`, { line: 2 }, /object/],
    [
      'a duplicate task id',
      `${lines(2)}${oneLine}\n`,
      { line: 3, field: 'task_id' },
      /duplicate task id mine\/0, first used at line 1/,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(lines(2)), Buffer.from([0x22, 0xff, 0xfe])]),
      { line: 3 },
      /UTF-8/,
    ],
    ['an empty file', '', {}, /at least one task/],
    ['a file of blank lines', '\n \n', {}, /at least one task/],
    ['an empty array', '[]', {}, /at least one task/],
  ])('%s', async (_name, content, place, message) => {
    const loading = loadBenchmark(request(content));
    await expect(loading).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', file: written(content), ...place }),
    );
    await expect(loading).rejects.toThrow(message);
  });

  it('a missing file', async () => {
    await expect(loadBenchmark({ ...request(''), path: join(folder, 'none.jsonl') })).rejects.toThrow(
      /none\.jsonl {2}no such file/,
    );
  });

  it('an unknown task or suite, naming the nearest', async () => {
    await expect(ids(lines(30), { ids: ['mine/2', 'mime/27'] })).rejects.toThrow(
      /no task "mime\/27" in the file; did you mean "mine\/27"/,
    );
    await expect(loadBenchmark(request(lines(1), { suites: ['base', 'pluss'] }))).rejects.toThrow(
      /no suite "pluss"; did you mean "plus"/,
    );
  });
});

describe('loadBenchmark selects', () => {
  it('the named tasks in file order', async () => {
    expect(await ids(lines(9), { ids: ['mine/7', 'mine/2'] })).toEqual(['mine/2', 'mine/7']);
  });

  it('a superset for a larger limit, in file order, and the same for sample', async () => {
    const few = await ids(lines(50), { limit: 5 });
    const more = await ids(lines(50), { limit: 20 });
    expect(few).toHaveLength(5);
    expect(more).toHaveLength(20);
    expect(more).toEqual(expect.arrayContaining(few));
    expect(more).toEqual(more.toSorted((a, b) => Number(a.slice(5)) - Number(b.slice(5))));
    expect(await ids(lines(50), { sample: 5 })).toEqual(few);
  });

  it('other tasks for another seed, and the same ones when unselected tasks join the file', async () => {
    const few = await ids(lines(50), { limit: 10 });
    expect(await ids(lines(50), { limit: 10 }, 2)).not.toEqual(few);
    const later = await ids(lines(60), { limit: 60 });
    expect(later).toHaveLength(60);
  });

  it('all tasks when the limit is larger than the file', async () => {
    expect(await ids(lines(3), { limit: 10 })).toHaveLength(3);
  });

  it('the wanted suites in the wanted order', async () => {
    const { tasks } = await loadBenchmark(request(lines(1), { suites: ['plus'] }));
    expect(tasks[0]?.suites.map(({ name }) => name)).toEqual(['plus']);
  });
});

it.each([
  ['2', ['MBPP/2']],
  ['MBPP/2', ['MBPP/2']],
  ['Mbpp/2', ['MBPP/2']],
  ['7', ['HumanEval/7']],
  ['mine/9', ['mine/9']],
])("ids: [%s] finds a task by our id, the source's, or the number of MBPP and HumanEval", (id, found) => {
  const tasks = [
    ['MBPP/2', 'Mbpp/2'],
    ['MBPP/22', 'Mbpp/22'],
    ['HumanEval/7', 'HumanEval/7'],
    ['mine/9', 'mine/9'],
  ].map(([taskId, sourceTaskId]) => ({ taskId, sourceTaskId }) as Task);
  const selection = createSelection({ ids: [id] }, 0, 'ids');
  for (const task of tasks) selection.offer(task);
  expect(selection.chosen(() => []).map(({ taskId }) => taskId)).toEqual(found);
});

it('the number of a task of your own is not an id', () => {
  const selection = createSelection({ ids: ['9'] }, 0, 'ids');
  selection.offer({ taskId: 'mine/9', sourceTaskId: 'mine/9' } as Task);
  expect(() => selection.chosen(() => ['mine/9'])).toThrow('no task "9"');
});
