/** What a report says of the intervals of a rule whose margin is a percentage. */
import type { RuleResult } from './evaluate.ts';
import type { GateRule } from './policy.ts';

/** Null if the rule's intervals are those of the change alone, or if it has none. */
export function percentText({ rule, checks }: RuleResult): string | null {
  const { marginPercent } = rule;
  if (marginPercent === undefined || marginPercent === 0 || checks.every(({ interval }) => interval === null))
    return null;
  return (
    `${ruleName(rule)}, allowed loss of ${marginPercent} % of the old value: the interval decides about this margin, ` +
    'and also allows for the error of the old value. So it is not that of the change alone, and moves with the margin'
  );
}

/** The metric, and where the rule applies if not everywhere. */
function ruleName({ metric, suite, benchmark, dimension, workflow }: GateRule): string {
  const where = [suite, benchmark, dimension, workflow].filter((name) => name !== undefined);
  return where.length === 0 ? metric : `${metric} (${where.join(', ')})`;
}
