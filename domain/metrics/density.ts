/** Densities per ten lines of code: of one solution, and of a corpus as the sum over all of it. */

/** What was counted in how many lines. */
export interface LineCount {
  readonly count: number;
  readonly loc: number;
}

export interface CorpusDensity {
  /** Null when no solution has a line. */
  readonly density: number | null;
  /** Solutions that count. */
  readonly n: number;
  /** Solutions without a count: no code, or code that does not parse. */
  readonly nExcluded: number;
}

/** Per ten lines; null where there is no line. */
export function densityPer10Lines({ count, loc }: LineCount): number | null {
  return loc === 0 ? null : (10 * count) / loc;
}

/** All that was counted over all lines, so that a long solution weighs more than a short one. Null stands for a solution without a count. */
export function corpusDensity(solutions: readonly (LineCount | null)[]): CorpusDensity {
  const counted = solutions.filter((solution) => solution !== null);
  const total = counted.reduce((sum, { count, loc }) => ({ count: sum.count + count, loc: sum.loc + loc }), { count: 0, loc: 0 });
  return { density: densityPer10Lines(total), n: counted.length, nExcluded: solutions.length - counted.length };
}
