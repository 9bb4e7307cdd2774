import { expect, test } from 'vitest';
import { referenceKey } from '../../../activities/judging/execution-key.ts';
import { suiteRows, taskRows } from '../../../activities/rows/run-rows.ts';
import type { ReferenceRecord } from '../../../activities/storage/ledger/records.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { Suite, Task } from '../../../schemas/task.ts';

const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };

async function rowOf(suite: Suite, given: Partial<ReferenceRecord>): Promise<Row | undefined> {
  const task: Task = {
    ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'p', entryPoint: 'f' },
    ...{ reference: 'import numpy', suites: [suite], recordSha256: 'a'.repeat(64) },
  };
  const key = referenceKey(sandbox, task, suite);
  const record = { key, firstFailingCase: null, caseMs: [], ...given };
  const run = {
    ...{ runId: 'r', sandbox, spec: { benchmarks: { own: {} } }, tasks: () => new Map([[task.taskId, task]]) },
    ledger: { references: () => Promise.resolve(new Map([[key, record]])) },
  };
  return (await suiteRows(run as never))[0];
}

/** Of a suite whose reference needs a package that the sandbox lacks. */
async function outcomeUnder(missingPackage: 'excluded' | 'failed'): Promise<unknown> {
  const suite: Suite = {
    ...{ name: 'base', inputs: [[1]], expected: [2], oracle: { rule: 'equal' } },
    judging: { caseLimitMs: 1000, referenceFactor: 2, missingPackage },
  };
  return (await rowOf(suite, { outcome: 'missing_dependency', outputs: [null] }))?.['reference_outcome'];
}

// Red before: missing_dependency for both, so that the ceiling would leave out a task that pass@1 counts as failed.
test('a reference that lacks a package is recorded by the rule of the benchmark, as answers are', async () => {
  expect(await outcomeUnder('excluded')).toBe('missing_dependency');
  expect(await outcomeUnder('failed')).toBe('exception');
});

// Red before: nothing in the tables told a suite of ten cases from one of which nine were excluded.
test('a suite says how many of its cases count', async () => {
  const suite: Suite = { name: 'base', inputs: [[1], [2], [3]], expected: null, oracle: { rule: 'equal' } };
  const stopped = { outcome: 'pass', outputs: ['1', null, null] } as const;
  expect(await rowOf(suite, stopped)).toMatchObject({ n_cases: 3, n_cases_judged: 1 });
  expect(await rowOf({ ...suite, expected: [1, 2, 3] }, stopped)).toMatchObject({ n_cases: 3, n_cases_judged: 3 });
});

/** Of a task with this suite. */
const testsOf = async (suite: Suite): Promise<unknown> =>
  (await rowOf(suite, { outcome: 'pass', outputs: [] }))?.['tests_sha256'];
const usual: Suite = { name: 'base', inputs: [[1]], expected: [2], oracle: { rule: 'equal' } };

// Red before: no column told whether a suite of two runs has the same tests.
test('a suite has a hash of its tests, whatever its name and the rule that judges it', async () => {
  const judging = { caseLimitMs: 1000, referenceFactor: 2, missingPackage: 'failed' } as const;
  // SHA-256 of {"expected":[2],"inputs":[[1]],"oracle":{"rule":"equal"}}, by sha256sum.
  const own = '4e4c29cdc0384ba85b4836bd49d9ada605e60ffb59207cd046ca9d63ccc047d8';
  const same: Suite[] = [usual, { ...usual, name: 'plus' }, { ...usual, judging }];
  expect(await Promise.all(same.map(testsOf))).toEqual([own, own, own]);
  const others: Suite[] = [
    ...[
      { ...usual, inputs: [[3]] },
      { ...usual, expected: [3] },
      { ...usual, expected: null },
    ],
    { ...usual, oracle: { rule: 'evalplus', atol: 0, special: null } },
    { ...usual, script: { prelude: '', alias: 'candidate', cases: ['assert True'] } },
    { ...usual, reference: { source: 'def f(x): return 2', entryPoint: 'f' } },
  ];
  expect(new Set([own, ...(await Promise.all(others.map(testsOf)))]).size).toBe(7);
});

test('a task has a hash of its problem, whatever its suites', () => {
  const task: Task = {
    ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'p', entryPoint: 'f' },
    ...{ reference: 'r', suites: [usual], recordSha256: 'a'.repeat(64) },
  };
  const hashOf = (one: Task): unknown => {
    const run = { runId: 'r', manifest: {}, spec: { benchmarks: { own: {} }, studies: [] } };
    return taskRows({ ...run, tasks: () => new Map([['T/1', one]]) } as never)[0]?.['problem_sha256'];
  };
  // SHA-256 of {"entryPoint":"f","language":"python","prompt":"p","reference":"r","sourceTaskId":"1","taskId":"T/1"}.
  const own = '027ecf9664780b1d97a886cea723f41d464e36a3cef127f83b4360ca3f3d2802';
  const more = { suites: [usual, { ...usual, name: 'plus' }], recordSha256: 'b'.repeat(64), plainSha256: 'c' };
  expect([hashOf(task), hashOf({ ...task, ...more })]).toEqual([own, own]);
  const others: Task[] = [
    ...[
      { ...task, prompt: 'q' },
      { ...task, entryPoint: 'g' },
      { ...task, reference: 's' },
    ],
    { ...task, language: 'cpp' },
  ];
  expect(new Set([own, ...others.map(hashOf)]).size).toBe(5);
});
