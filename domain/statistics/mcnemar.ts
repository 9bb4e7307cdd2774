import { bdtr, compiled } from 'cephes';

await compiled;

/**
 * McNemar's exact test (two-sided binomial): of the tasks on which two versions disagree, is either side more than a fair coin's?
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
 * The smallest difference in tasks, |broken - mended|, that would have been significant with as many discordant tasks; null when none
 * would have been. Example: 5 discordant tasks can never reach 0.05, 6 only when all go one way.
 */
export function mcnemarSmallestDifference(discordant: number, alpha: number): number | null {
  for (let fewer = Math.floor(discordant / 2); fewer >= 0; fewer -= 1) {
    if (mcnemarP(fewer, discordant - fewer) <= alpha) return discordant - 2 * fewer;
  }
  return null;
}
