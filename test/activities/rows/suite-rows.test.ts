import { expect, test } from 'vitest';
import { referenceKey } from '../../../activities/judging/execution-key.ts';
import { suiteRows } from '../../../activities/rows/run-rows.ts';
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
