/**
 * Mean absolute differences of pass rates over all ways to choose which answers are compared: exact averages, by the
 * hypergeometric distribution.
 */

/** Answers that count, and how many of them passed. */
export interface Answers {
  readonly passed: number;
  readonly count: number;
}

/**
 * Mean |pass rate of `first` - pass rate of `size` answers of `second`|, over all choices of the latter. Example: 1 of
 * 2 passed, against 2 of 4 others of which 2 passed: they are 0, 1 or 2 passes with chances 1/6, 4/6, 1/6, so 1/6.
 */
export const meanDifference = (first: Answers, second: Answers, size: number): number =>
  chancesOf(second, size).reduce(
    (sum, chance, passed) => sum + chance * Math.abs(first.passed / first.count - passed / size),
    0,
  );

/**
 * The same for two sets of the same answers that share none: `size` answers against `other` of the rest, over all
 * choices of both. Unbiased for independent answers to one prompt, for it is a mean over such pairs of sets.
 */
export const meanDifferenceWithin = (all: Answers, size: number, other: number): number =>
  chancesOf(all, size).reduce((sum, chance, passed) => {
    if (chance === 0) return sum;
    const rest = { passed: all.passed - passed, count: all.count - size };
    return sum + chance * meanDifference({ passed, count: size }, rest, other);
  }, 0);

/** P(0), P(1) .. P(size) passes among `size` answers drawn without replacement. */
function chancesOf({ passed, count }: Answers, size: number): number[] {
  const all = logChoices(count, size);
  return Array.from({ length: size + 1 }, (_, some) => {
    const failed = size - some;
    if (some > passed || failed > count - passed) return 0;
    return Math.exp(logChoices(passed, some) + logChoices(count - passed, failed) - all);
  });
}

const logFactorials: number[] = [0];

/** Of n over k. */
function logChoices(n: number, k: number): number {
  while (logFactorials.length <= n)
    logFactorials.push((logFactorials.at(-1) as number) + Math.log(logFactorials.length));
  return (logFactorials[n] as number) - (logFactorials[k] as number) - (logFactorials[n - k] as number);
}
