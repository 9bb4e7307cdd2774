/** Densities per ten lines of code: of one solution, and of a whole corpus. */

/** A count, and the number of lines counted in. */
export interface LineCount {
  readonly count: number;
  readonly loc: number;
}

export interface CorpusDensity {
  /** Null if no solution has a line. */
  readonly density: number | null;
  /** Solutions that count. */
  readonly n: number;
  /** Solutions without a count: no code, or code that does not parse. */
  readonly nExcluded: number;
}

/** Per ten lines; null without lines. */
export function densityPer10Lines({ count, loc }: LineCount): number | null {
  return loc === 0 ? null : (10 * count) / loc;
}

/**
 * Sum of counts / sum of lines, so a long solution weighs more than a short one. Null is a solution without a count.
 */
export function corpusDensity(solutions: readonly (LineCount | null)[]): CorpusDensity {
  const counted = solutions.filter((solution) => solution !== null);
  const total = counted.reduce((sum, { count, loc }) => ({ count: sum.count + count, loc: sum.loc + loc }), {
    count: 0,
    loc: 0,
  });
  return { density: densityPer10Lines(total), n: counted.length, nExcluded: solutions.length - counted.length };
}
