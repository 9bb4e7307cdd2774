import { betaQuantile } from '../beta.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';

/**
 * The exact Clopper-Pearson interval of a share (1934): all shares that an exact binomial test does not reject on
 * either side. It holds its level for every number of trials and every share, and is never empty. Null without trials.
 * Example: 8 of 10 at 0.95 is 0.444 to 0.975.
 */
export function shareInterval(passes: number, trials: number, level = defaultLevel): Interval | null {
  if (!(Number.isSafeInteger(passes) && Number.isSafeInteger(trials) && passes >= 0 && passes <= trials))
    throw new Error(`shareInterval needs whole numbers with 0 <= passes <= trials, got ${passes} of ${trials}`);
  if (trials === 0) return null;
  const tail = tailOf(level);
  return {
    lo: passes === 0 ? 0 : betaQuantile(tail, passes, trials - passes + 1),
    hi: passes === trials ? 1 : betaQuantile(1 - tail, passes + 1, trials - passes),
  };
}
