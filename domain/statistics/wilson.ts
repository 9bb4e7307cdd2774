import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { normalQuantile } from './special.ts';

/**
 * Wilson's score interval of a share (1927, without continuity correction): the shares that a score test at `1 - level` does not reject.
 * Right for independent trials; unlike the normal approximation it is not empty at 0 or n passes. Null when there is no trial.
 * Example: 8 of 10 at 0.95 is 0.490 to 0.943.
 */
export function wilsonInterval(passes: number, trials: number, level = defaultLevel): Interval | null {
  if (!(passes >= 0 && passes <= trials)) throw new Error(`wilsonInterval needs 0 <= passes <= trials, got ${passes} of ${trials}`);
  if (trials === 0) return null;
  const z = normalQuantile(1 - tailOf(level));
  const share = passes / trials;
  const spread = z ** 2 / trials;
  const middle = share + spread / 2;
  const half = z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials));
  const lo = passes === 0 ? 0 : (middle - half) / (1 + spread);
  const hi = passes === trials ? 1 : (middle + half) / (1 + spread);
  return { lo, hi };
}
