/** Records of tasks under another rule for limits and missing packages, as in a run whose spec states that rule. */
import { withRuledSuites } from '../../domain/benchmarks/format.ts';
import { canonicalJson } from '../../domain/ids.ts';
import type { JudgingRule, Suite, Task } from '../../schemas/task.ts';
import { usualJudging } from './execution-key.ts';

/** Drivers have limits of their own. */
export function taskUnder(task: Task, change: Partial<JudgingRule>): Task {
  const suites = task.suites.map((suite) => (suite.driver === undefined ? suiteUnder(suite, change) : suite));
  return withRuledSuites(task, suites);
}

/** A record states only a rule that is not the usual one. */
function suiteUnder({ judging = usualJudging, ...suite }: Suite, change: Partial<JudgingRule>): Suite {
  const other = { ...judging, ...change };
  return canonicalJson(other) === canonicalJson(usualJudging) ? suite : { ...suite, judging: other };
}
