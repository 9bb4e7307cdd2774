/**
 * Estimates how many tasks a check would need, before any money is spent on them. Approximate: assumes that further
 * tasks spread like those compared so far.
 */
import { normalQuantile } from '../statistics/special.ts';

/** Facts about the change of a single task. */
export interface TaskSpread {
  /** Root mean square of the tasks' changes. */
  readonly deviation: number;
  /** The furthest that one task can change for the worse. */
  readonly worst: number;
}

/** The wanted probability of a decision. */
const wantedPower = 0.8;

/**
 * The smallest margin that `n` tasks decide with power 0.8 if nothing is lost: Gaffke's bound in its normal
 * approximation, with one additional task that changes as far as possible, but never below the bound for tasks that do
 * not change at all (the rule of three).
 * @param tail probability of a false pass
 */
export function decidableMargin(n: number, { deviation, worst }: TaskSpread, tail: number): number {
  const error = deviation / Math.sqrt(n);
  const unseen = worst / (n + 1);
  const unchanged = worst * (1 - tail ** (1 / n));
  const spread = unseen + normalQuantile(1 - tail) * Math.hypot(error, unseen);
  return Math.max(unchanged, spread) + normalQuantile(wantedPower) * error;
}

/** No larger number is considered. */
const mostTasks = 1e7;

/** The smallest n whose decidable margin is at most `margin`; null if there is none, as for a margin of 0. */
export function tasksNeeded(margin: number, spread: TaskSpread, tail: number): number | null {
  const decides = (n: number): boolean => decidableMargin(n, spread, tail) <= margin;
  if (!(margin > 0) || !decides(mostTasks)) return null;
  let [below, enough] = [0, 1];
  while (!decides(enough)) [below, enough] = [enough, 2 * enough];
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (decides(middle)) enough = middle;
    else below = middle;
  }
  return enough;
}
