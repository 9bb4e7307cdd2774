/**
 * How many tasks a check would need, before anything is spent on them. Approximate: the spread of the tasks compared
 * so far stands for that of more.
 */
import { normalQuantile } from '../statistics/special.ts';

/** What is known of one task's change. */
export interface TaskSpread {
  /** Root mean square of the tasks' changes. */
  readonly deviation: number;
  /** How far one task may change for the worse. */
  readonly worst: number;
}

/** The chance of deciding that is asked for. */
const wantedPower = 0.8;

/**
 * The smallest margin that `n` tasks decide with power 0.8 where nothing is lost: Gaffke's bound as a normal one,
 * with one task more that changes as far as it may, but never below the bound of tasks that do not change at all (the
 * rule of three).
 * @param tail chance of a false pass
 */
export function decidableMargin(n: number, { deviation, worst }: TaskSpread, tail: number): number {
  const error = deviation / Math.sqrt(n);
  const unseen = worst / (n + 1);
  const unchanged = worst * (1 - tail ** (1 / n));
  const spread = unseen + normalQuantile(1 - tail) * Math.hypot(error, unseen);
  return Math.max(unchanged, spread) + normalQuantile(wantedPower) * error;
}

/** Beyond this nobody goes. */
const mostTasks = 1e7;

/** The least n whose decidable margin is at most `margin`; null where none is, as for a margin of 0. */
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
