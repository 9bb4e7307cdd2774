import { expect, test } from 'vitest';
import { referenceKey } from '../../../activities/judging/execution-key.ts';
import { suiteRows } from '../../../activities/rows/run-rows.ts';
import type { Suite, Task } from '../../../schemas/task.ts';

const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };

/** Of a suite whose reference needs a package that the sandbox lacks. */
async function outcomeUnder(missingPackage: 'excluded' | 'failed'): Promise<unknown> {
  const suite: Suite = {
    ...{ name: 'base', inputs: [[1]], expected: [2], oracle: { rule: 'equal' } },
    judging: { caseLimitMs: 1000, referenceFactor: 2, missingPackage },
  };
  const task: Task = {
    ...{ taskId: 'T/1', sourceTaskId: '1', language: 'python', prompt: 'p', entryPoint: 'f' },
    ...{ reference: 'import numpy', suites: [suite], recordSha256: 'a'.repeat(64) },
  };
  const key = referenceKey(sandbox, task, suite);
  const record = { key, outcome: 'missing_dependency', firstFailingCase: null, outputs: [null], caseMs: [] };
  const run = {
    ...{ runId: 'r', sandbox, spec: { benchmarks: { own: {} } }, tasks: () => new Map([[task.taskId, task]]) },
    ledger: { references: () => Promise.resolve(new Map([[key, record]])) },
  };
  return (await suiteRows(run as never))[0]?.['reference_outcome'];
}

// Red before: missing_dependency for both, so that the ceiling would leave out a task that pass@1 counts as failed.
test('a reference that lacks a package is recorded by the rule of the benchmark, as answers are', async () => {
  expect(await outcomeUnder('excluded')).toBe('missing_dependency');
  expect(await outcomeUnder('failed')).toBe('exception');
});
