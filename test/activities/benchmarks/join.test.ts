import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import type { JoinedSuite } from '../../../schemas/spec/benchmark.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const task = (number: number, suites: object = { base: { inputs: [[number]], expected: [number] } }): object => ({
  ...{ task_id: `mine/${number}`, prompt: 'Text.', entry_point: 'f', reference: 'def f(x): return x' },
  suites,
});
function written(name: string, records: readonly object[]): string {
  writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return join(folder, name);
}
const extra = (records: readonly object[], name = 'more'): JoinedSuite => ({
  name,
  format: 'evenkeel',
  path: written('extra.jsonl', records),
});
const load = (suites: readonly (string | JoinedSuite)[], count = 2) =>
  loadBenchmark({
    ...{ name: 'mine', format: 'evenkeel', seed: 1, suites },
    path: written(
      'base.jsonl',
      Array.from({ length: count }, (_, number) => task(number)),
    ),
  });

describe('a joined suite', () => {
  it('is found by the task id, whatever the order, and the record hash covers it', async () => {
    const { tasks, joinedSha256 } = await load([
      'base',
      extra([task(1, { x: { inputs: [[9]], expected: [9] } }), task(5), task(0)]),
    ]);
    expect(tasks.map(({ suites }) => suites.map(({ name, inputs }) => [name, inputs]))).toEqual([
      [
        ['base', [[0]]],
        ['more', [[0]]],
      ],
      [
        ['base', [[1]]],
        ['more', [[9]]],
      ],
    ]);
    expect(Object.keys(joinedSha256)).toEqual(['more']);
    const alone = await load(['base']);
    const other = await load(['base', extra([task(0), task(1)])]);
    expect(new Set([alone, other, { tasks }].map((one) => one.tasks[1]?.recordSha256)).size).toBe(3);
    expect(other.tasks[0]?.recordSha256).toBe(tasks[0]?.recordSha256);
  });

  it('that expects what its own reference gives brings that reference', async () => {
    const plus = { plus: { inputs: [[3]] } };
    const { tasks } = await load(
      [extra([{ ...task(0, plus), reference: 'def g(x): return 7', entry_point: 'g' }], 'plus')],
      1,
    );
    expect(tasks[0]?.suites).toMatchObject([
      { name: 'plus', expected: null, reference: { source: 'def g(x): return 7', entryPoint: 'g' } },
    ]);
  });

  // Red before: the record of a task that nobody uses was refused.
  it('may be missing in the records of tasks that are not used', async () => {
    const several = (more: object): object => ({ base: { inputs: [[1]] }, plus: { inputs: [[2]] }, ...more });
    const more = { more: { inputs: [[3]], expected: [3] } };
    const { tasks } = await load([extra([task(7, several({})), task(0, several(more)), task(1, several(more))])]);
    expect(tasks.map(({ suites }) => suites.map(({ name, inputs }) => [name, inputs]))).toEqual(
      Array(2).fill([['more', [[3]]]]),
    );
  });

  it.each<readonly [string, () => JoinedSuite, RegExp]>([
    ['a task without a record', () => extra([task(0)]), /extra\.jsonl.*mine\/1 has none/],
    [
      'a name that the benchmark has',
      () => extra([task(0), task(1)], 'base'),
      /"base" is already a suite of the benchmark/,
    ],
    [
      'a file of several suites, none of that name',
      () => extra([task(0, { a: { inputs: [[1]] }, b: { inputs: [[1]] } })]),
      /extra\.jsonl:1 .*expected a suite "more", or one suite only, mine\/0 has the suites a, b/,
    ],
    ['a task id that comes twice', () => extra([task(0), task(0)]), /extra\.jsonl:2.*first used at line 1/],
  ])('is refused for %s', async (_name, suite, message) => {
    await expect(load(['base', suite()])).rejects.toThrow(message);
  });
});
