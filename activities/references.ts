/** The reference's own run on a suite: from the machine's cache, or by running it now. */
import { verdictOf } from '../domain/verdict.ts';
import type { Suite, Task } from '../schemas/task.ts';
import { referenceKey, referenceLimits } from './execution-key.ts';
import type { ReferenceCache } from './reference-cache.ts';
import type { Sandbox } from './sandboxes/sandbox.ts';
import type { ReferenceRecord } from './storage/ledger.ts';
import { programFor } from './suite-cases.ts';

/** What it takes to run programs that nobody is judged by. */
export interface Bench {
  readonly box: Sandbox;
  readonly cache: ReferenceCache;
  readonly signal?: AbortSignal;
}

export async function establishReference({ box, cache, signal }: Bench, task: Task, suite: Suite): Promise<ReferenceRecord> {
  const key = referenceKey(box, task, suite);
  const known = await cache.get(key);
  if (known) return known;
  if (task.reference === '') return noReference(cache, key, suite);
  const own = await box.run(programFor(task, suite, task.reference), referenceLimits, signal);
  const run = suite.reference ? await box.run(programFor(suite.reference, suite, suite.reference.source), referenceLimits, signal) : own;
  const outputs = suite.inputs.map((_, index) => {
    const output = run.results[index];
    return output && 'value' in output ? output.value : null;
  });
  const expected = suite.expected?.map((value) => JSON.stringify(value)) ?? outputs;
  const { outcome, firstFailingCase } = verdictOf(own, expected, suite.oracle);
  const record = { key, outcome, firstFailingCase, outputs, caseMs: own.caseMs };
  await cache.put(record);
  return record;
}

/** Of a task without one: nothing ran, and nothing is expected beyond what the suite itself says. */
async function noReference(cache: ReferenceCache, key: string, { inputs }: Suite): Promise<ReferenceRecord> {
  const record = { key, outcome: 'not_run', firstFailingCase: null, outputs: inputs.map(() => null), caseMs: [] } as const;
  await cache.put(record);
  return record;
}
