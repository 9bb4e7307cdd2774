/** Functions for pairs of values, given as two lists of equal length. */

/** The number of pairs; throws if the lists differ in length. */
export function pairsOf(x: readonly number[], y: readonly number[]): number {
  if (x.length !== y.length)
    throw new Error(`a correlation needs lists of equal length, got ${x.length} and ${y.length} values`);
  return x.length;
}

/** The pairs without a missing value, as two lists, like SciPy's `nan_policy="omit"`. */
export function completePairs(x: readonly (number | null)[], y: readonly (number | null)[]): [number[], number[]] {
  const whole = x.flatMap((first, index) => {
    const second = y[index] ?? null;
    return first === null || second === null ? [] : [[first, second] as const];
  });
  return [whole.map(([first]) => first), whole.map(([, second]) => second)];
}

/** Limits a correlation to -1 and 1, which rounding may exceed. */
export const clamp = (r: number): number => Math.max(-1, Math.min(1, r));
