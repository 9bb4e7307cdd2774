/** The reference's own run on a suite: from this machine's cache, or by running it. */
import type { ProgramRun } from '../../schemas/program.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import { referenceKey, referenceLimits } from './execution-key.ts';
import { runAndJudge } from './judge-lane.ts';
import type { ReferenceCache } from './reference-cache.ts';
import type { Sandbox } from '../sandboxes/sandbox.ts';
import type { ReferenceRecord } from '../storage/ledger/records.ts';
import { programFor } from './suite-cases.ts';

/** What is needed to run programs that are not part of a run. */
export interface Bench {
  readonly box: Sandbox;
  readonly cache: ReferenceCache;
  readonly signal?: AbortSignal;
}

export async function establishReference(
  { box, cache, signal }: Bench,
  task: Task,
  suite: Suite,
): Promise<ReferenceRecord> {
  const key = referenceKey(box, task, suite);
  const known = await cache.get(key);
  if (known) return known;
  if (task.reference === '') return noReference(cache, key, suite);
  let outputs: readonly (string | null)[] = [];
  const expected = async (own: ProgramRun): Promise<readonly (string | null)[]> => {
    const other = suite.reference;
    outputs = outputsOf(
      suite,
      other ? await box.run(programFor(other, suite, other.source), referenceLimits, signal) : own,
    );
    return suite.expected?.map((value) => JSON.stringify(value)) ?? outputs;
  };
  const { run, verdict } = await runAndJudge(
    { box, task, suite, source: task.reference, limits: referenceLimits, signal },
    expected,
  );
  const record = {
    key,
    outcome: verdict.outcome,
    firstFailingCase: verdict.firstFailingCase,
    outputs,
    caseMs: run.caseMs,
  };
  await cache.put(record);
  return record;
}

/** The record for a task without a reference: nothing ran, and only the suite's own expected values exist. */
async function noReference(cache: ReferenceCache, key: string, { inputs }: Suite): Promise<ReferenceRecord> {
  const record = {
    key,
    outcome: 'not_run',
    firstFailingCase: null,
    outputs: inputs.map(() => null),
    caseMs: [],
  } as const;
  await cache.put(record);
  return record;
}

const outputsOf = (suite: Suite, run: ProgramRun): (string | null)[] =>
  suite.inputs.map((_, index) => {
    const output = run.results[index];
    return output && 'value' in output ? output.value : null;
  });
