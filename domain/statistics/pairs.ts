/** What methods over pairs share. Pairs are given as two lists of one length. */

/** The number of pairs; throws where the lists differ in length. */
export function pairsOf(x: readonly number[], y: readonly number[]): number {
  if (x.length !== y.length) throw new Error(`a correlation takes pairs, got ${x.length} and ${y.length} values`);
  return x.length;
}

/** The pairs of which neither value is missing, as two lists: what a method leaves out that SciPy calls with `nan_policy="omit"`. */
export function completePairs(x: readonly (number | null)[], y: readonly (number | null)[]): [number[], number[]] {
  const whole = x.flatMap((first, index) => {
    const second = y[index] ?? null;
    return first === null || second === null ? [] : [[first, second] as const];
  });
  return [whole.map(([first]) => first), whole.map(([, second]) => second)];
}

/** Within -1 and 1, where rounding has carried a correlation beyond. */
export const clamp = (r: number): number => Math.max(-1, Math.min(1, r));
