import type { Suite, Task } from '../../schemas/task.ts';
import type { Run } from '../runs/opened/run.ts';
import type { VerdictRecord } from '../storage/ledger/records.ts';
import { referenceKey } from './execution-key.ts';
import type { JudgingRun } from './judge-program.ts';

/** For a program that is judged apart from a run: takes the reference's results from it and stores nothing in it. */
export function apartFrom(run: Run, task: Task, suite: Suite): JudgingRun {
  const verdicts = new Map<string, VerdictRecord>();
  return {
    uuid: run.uuid,
    sandbox: run.sandbox,
    ledger: {
      verdict: async (key) => verdicts.get(key),
      saveVerdict: (verdict) => {
        verdicts.set(verdict.executionKey, verdict);
        return Promise.resolve(verdict);
      },
      reference: () => run.ledger.reference(referenceKey(run.sandbox, task, suite)),
      saveFact: (_name, json) => Promise.resolve(json),
    },
  };
}
