import { bdtr, compiled } from 'cephes';

await compiled;

/**
 * McNemar's exact test (two-sided binomial): among the tasks on which two versions disagree, does one side occur more
 * often than by a fair coin?
 * @param broken tasks that pass with the old version and fail with the new one
 * @param mended tasks that fail with the old version and pass with the new one
 */
export function mcnemarP(broken: number, mended: number): number {
  const discordant = broken + mended;
  if (!(Number.isSafeInteger(discordant) && broken >= 0 && mended >= 0)) {
    throw new Error(`mcnemarP needs two counts of tasks, got ${broken} and ${mended}`);
  }
  return Math.min(1, 2 * bdtr(Math.min(broken, mended), discordant, 0.5));
}

/**
 * The smallest difference in tasks, |broken - mended|, that would have been significant with this many discordant
 * tasks; null if none would. Example: 5 discordant tasks can never reach 0.05, 6 only if all go the same way.
 */
export function mcnemarSmallestDifference(discordant: number, alpha: number): number | null {
  for (let fewer = Math.floor(discordant / 2); fewer >= 0; fewer -= 1) {
    if (mcnemarP(fewer, discordant - fewer) <= alpha) return discordant - 2 * fewer;
  }
  return null;
}
