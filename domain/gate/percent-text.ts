/** What a report says of the intervals of a rule whose margin is a percentage. */
import type { RuleResult } from './evaluate.ts';

/** Null if the rule's intervals are those of the change alone, or if it has none. */
export function percentText({ rule: { metric, marginPercent }, checks }: RuleResult): string | null {
  if (marginPercent === undefined || marginPercent === 0 || checks.every(({ interval }) => interval === null))
    return null;
  return (
    `${metric}, allowed loss of ${marginPercent} % of the old value: the interval decides about this margin, and ` +
    'also allows for the error of the old value. So it is not that of the change alone, and moves with the margin'
  );
}
