/** Power of tests of paired differences: what they can detect, and how many tasks a difference needs. */
import { normalQuantile } from '../special.ts';
import { studentQuantile } from '../student.ts';

/** The usual power: the probability of detecting an existing effect. */
const power = 0.8;

/** No larger number of tasks is considered. */
const mostTasks = 1e7;

/**
 * McNemar's exact test, two-sided at `alpha`: the tasks needed to detect with probability 0.8 that the shares of passed
 * tasks differ by `difference`, if a share `discordant` of tasks passes on one side only. Connor's formula (1987) with
 * the continuity correction of an exact test: the difference of counts, less 1, must exceed its critical value. Null if
 * the difference is 0. Example: 20 % discordant and a difference of 10 points need 175 tasks at 0.05.
 */
export function mcnemarTasks(difference: number, discordant: number, alpha: number): number | null {
  const size = Math.abs(difference);
  if (size === 0) return null;
  const share = Math.max(discordant, size);
  const errors =
    normalQuantile(1 - alpha / 2) * Math.sqrt(share) + normalQuantile(power) * Math.sqrt(share - size * size);
  const tasks = Math.ceil(((errors + Math.sqrt(errors * errors + 4 * size)) / (2 * size)) ** 2);
  return tasks > mostTasks ? null : tasks;
}

/**
 * The smallest difference of shares that McNemar's exact test detects with probability 0.8 on `n` tasks, by the same
 * formula; null if not even a difference of 1.
 */
export function mcnemarEffect(n: number, discordant: number, alpha: number): number | null {
  const isDetected = (difference: number): boolean => (mcnemarTasks(difference, discordant, alpha) ?? Infinity) <= n;
  if (!isDetected(1)) return null;
  let [below, enough] = [0, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (below + enough) / 2;
    if (isDetected(middle)) enough = middle;
    else below = middle;
  }
  return enough;
}

/**
 * Standard errors between 0 and a mean difference that a two-sided test at `alpha` over `n` tasks detects with
 * probability 0.8: quantiles of Student's t, to which the sign-flip test comes close. Infinite if no signs of n
 * differences reach alpha.
 */
function errorsNeeded(n: number, alpha: number): number {
  if (n < 2 || 2 ** (1 - n) > alpha) return Infinity;
  return studentQuantile(1 - alpha / 2, n - 1) + studentQuantile(power, n - 1);
}

/** The smallest mean difference that is detected; null if none. @param deviation standard deviation of differences */
export function meanEffect(n: number, deviation: number, alpha: number): number | null {
  const effect = (deviation * errorsNeeded(n, alpha)) / Math.sqrt(n);
  return deviation > 0 && Number.isFinite(effect) ? effect : null;
}

/** Tasks needed to detect a mean difference; null if it is 0, or would need more than 10 million. */
export function meanTasks(difference: number, deviation: number, alpha: number): number | null {
  const size = Math.abs(difference);
  const isEnough = (n: number): boolean => (deviation * errorsNeeded(n, alpha)) / Math.sqrt(n) <= size;
  if (size === 0 || !(deviation > 0) || !isEnough(mostTasks)) return null;
  let [below, enough] = [1, 2];
  while (!isEnough(enough)) [below, enough] = [enough, 2 * enough];
  while (enough - below > 1) {
    const middle = Math.floor((below + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else below = middle;
  }
  return enough;
}
