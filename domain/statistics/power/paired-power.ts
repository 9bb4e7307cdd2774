/** Power of tests of paired differences: what they can detect, and how many tasks a difference needs. */
import { normalQuantile } from '../special.ts';
import { studentQuantile } from '../student.ts';
import { fewestTasks, mostTasks } from './comparison-design.ts';
import { mcnemarPower } from './mcnemar-power.ts';

/** The usual power: the probability of detecting an existing effect. */
const power = 0.8;

const oneAnswer = { repetitions: 1, samples: 1 } as const;

/** One side passes `difference` more tasks than the other, of a share `discordant` on which only one of them passes. */
function detectionChance(tasks: number, difference: number, discordant: number, alpha: number): number {
  const changed = Math.max(discordant, difference);
  return mcnemarPower(tasks, { gained: (changed + difference) / 2, lost: (changed - difference) / 2 }, alpha);
}

/**
 * McNemar's exact test, two-sided at `alpha`: the tasks needed to detect with probability 0.8 that the shares of passed
 * tasks differ by `difference`, if a share `discordant` of tasks passes on one side only. By the exact power, as
 * `power` and `plan --detect` do for one answer per task. Null if the difference is 0 or would need more than a million
 * tasks. Example: 20 % discordant and a difference of 10 points need 168 tasks at 0.05.
 */
export function mcnemarTasks(difference: number, discordant: number, alpha: number): number | null {
  const size = Math.abs(difference);
  if (size === 0) return null;
  return fewestTasks(oneAnswer, ({ tasks }) => detectionChance(tasks, size, discordant, alpha), power, mostTasks);
}

/** Differences are found to this. */
const closeEnough = 1e-6;

/**
 * The smallest difference of shares that McNemar's exact test detects with probability 0.8 on `n` tasks; null if not
 * even a difference of 1.
 */
export function mcnemarEffect(n: number, discordant: number, alpha: number): number | null {
  const isDetected = (difference: number): boolean => detectionChance(n, difference, discordant, alpha) >= power;
  if (!isDetected(1)) return null;
  let [below, enough] = [0, 1];
  while (enough - below > closeEnough) {
    const middle = (below + enough) / 2;
    if (isDetected(middle)) enough = middle;
    else below = middle;
  }
  return enough;
}

/**
 * Standard errors between 0 and a mean difference that a two-sided test at `alpha` over `n` tasks detects with
 * probability 0.8: quantiles of Student's t, to which the sign-flip test comes close. With so few tasks that only equal
 * signs are significant, all normal values must have the sign of their mean. Between these, the fewer ways to set the
 * signs are significant, the more the second counts. Infinite if no signs of n differences reach alpha.
 */
function errorsNeeded(n: number, alpha: number): number {
  if (n < 2 || 2 ** (1 - n) > alpha) return Infinity;
  const byStudent = studentQuantile(1 - alpha / 2, n - 1) + studentQuantile(power, n - 1);
  const byEqualSigns = Math.sqrt(n) * normalQuantile(power ** (1 / n));
  const few = 1 / Math.max(1, Math.floor(alpha * 2 ** (n - 1)));
  return byEqualSigns ** few * byStudent ** (1 - few);
}

/** Answers for differences of means on any number of tasks, at one `alpha`. */
export interface MeanPower {
  /**
   * The smallest mean difference that is detected on `n` tasks; null if none.
   * @param deviation standard deviation of the differences
   */
  effect(n: number, deviation: number): number | null;
  /** Tasks needed to detect a mean difference; null if it is 0, or would need more than a million. */
  tasks(difference: number, deviation: number): number | null;
}

/** Remembers quantiles, since many pairs of models ask for the same ones. */
export function meanPower(alpha: number): MeanPower {
  const known = new Map<number, number>();
  const errorsOn = (n: number): number => {
    const errors = known.get(n) ?? errorsNeeded(n, alpha);
    known.set(n, errors);
    return errors;
  };
  return {
    effect: (n, deviation) => {
      const effect = (deviation * errorsOn(n)) / Math.sqrt(n);
      return deviation > 0 && Number.isFinite(effect) ? effect : null;
    },
    tasks: (difference, deviation) => {
      if (difference === 0 || !(deviation > 0)) return null;
      const isEnough = (n: number): boolean => (deviation * errorsOn(n)) / Math.sqrt(n) <= Math.abs(difference);
      return fewestTasks(oneAnswer, ({ tasks }) => Number(isEnough(tasks)), 1, mostTasks);
    },
  };
}
