/** p of paired differences of which some are only known to lie between two ends. */
import { isOpen, type OpenEnds } from '../intervals/open-mean.ts';
import { mean } from '../spread.ts';

/**
 * The larger of p of the known differences and that of all at their worst for the side that is ahead; 1 if it would be
 * behind.
 */
export function heldP(
  known: readonly number[],
  ends: OpenEnds,
  test: (differences: readonly number[]) => number | null,
): number | null {
  const p = test(known);
  if (p === null || !isOpen(ends)) return p;
  const ahead = Math.sign(mean(known) ?? 0);
  const worst = ahead > 0 ? ends.least : ends.most;
  if (Math.sign(mean(worst) ?? 0) !== ahead) return 1;
  return Math.max(p, test(worst) ?? 1);
}
