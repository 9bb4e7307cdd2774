/**
 * Average Sustainable Loops (EVALOOP, section 2.2): ASL = sum over i of n_i i^2 s_i / (M T). n_i cells sustained
 * exactly i of M loops, T is all cells, and s_i is the mean over those n_i of a cell's similarity ((l - 1) + Sim) / l
 * for 1 <= l < M, 1 for l = M. It lies in [0, M]: M when every cell survives, 0 when none passes once.
 */

/** The facts about a counted cell that the estimates need. */
export interface LoopCell {
  /** Loops whose code passed, 0 to M. */
  readonly sustainedLoops: number;
  /** The judge's Sim in [0, 1]; null if there is none. Not used for 0 and M sustained loops. */
  readonly similarity: number | null;
  /**
   * Whether the run never asked how the cell goes on. It counts like one that breaks here with similarity 0, which is
   * the least that it can turn out to be. Default: no.
   */
  readonly isCutShort?: boolean;
}

export type AslResult =
  | { readonly asl: number; readonly reason: null }
  | { readonly asl: null; readonly reason: string };

/** n_0 .. n_M: cells that sustained exactly i loops. Throws on a count outside 0..M. */
export function sustainedCounts(cells: readonly LoopCell[], maxLoops: number): number[] {
  const counts = new Array<number>(maxLoops + 1).fill(0);
  for (const { sustainedLoops } of cells) {
    const count = counts[sustainedLoops];
    if (count === undefined)
      throw new Error(`sustained loops must be an integer from 0 to ${maxLoops}, got ${sustainedLoops}`);
    counts[sustainedLoops] = count + 1;
  }
  return counts;
}

/** ASL with every s_i = 1, from n_0 .. n_M. Null without cells. Example: n = [1, 1, 1, 2] (M = 3) gives 23/15. */
export function aslUnweighted(counts: readonly number[]): number | null {
  const weighted = counts.map((count, loops) => count * loops ** 2);
  return dividedByAll(weighted, counts);
}

/**
 * ASL with similarities. Cells without one count in n_i and T but not in the mean s_i. If none of the n_i > 0 cells
 * (0 < i < M) has one, ASL is undefined and the reason says for which i. Example: M = 3, sustained 0, 1, 2, 3, 3 with
 * Sim 0.5 at 1 and 0.8 at 2 gives 22.1/15. Cells that are cut short have i (i - 1) in place of i^2 s_i, so that ASL is
 * then a lower bound.
 */
export function averageSustainableLoops(cells: readonly LoopCell[], maxLoops: number): AslResult {
  const cut = cells.filter(({ isCutShort }) => isCutShort === true);
  const ended = cells.filter(({ isCutShort }) => isCutShort !== true);
  const counts = sustainedCounts(ended, maxLoops);
  const means = similarityMeans(ended, maxLoops);
  const unscored = counts.findIndex(
    (count, loops) => loops > 0 && loops < maxLoops && count > 0 && means[loops] === null,
  );
  if (unscored > 0)
    return undefinedAsl(
      `no similarity for any cell that sustained ${unscored} of ${maxLoops} loops (${counts[unscored]} of them)`,
    );
  const asl = dividedByAll(
    [
      ...counts.map((count, loops) => count * loops ** 2 * (means[loops] ?? 0)),
      ...cut.map((cell) => maxLoops * weightedSquare(cell, maxLoops, 0)),
    ],
    sustainedCounts(cells, maxLoops),
  );
  return asl === null ? undefinedAsl('there are no cells that count') : { asl, reason: null };
}

/**
 * A cell's contribution to ASL, in [0, M]: if all cells have a similarity, ASL is the mean of their contributions. A
 * missing similarity is replaced by `unscored`.
 */
export function weightedSquare({ sustainedLoops, similarity }: LoopCell, maxLoops: number, unscored: number): number {
  if (sustainedLoops === 0) return 0;
  const weight = sustainedLoops === maxLoops ? 1 : (sustainedLoops - 1 + (similarity ?? unscored)) / sustainedLoops;
  return (sustainedLoops ** 2 * weight) / maxLoops;
}

/** s_0 .. s_M; null if no cell has a similarity. s_M is 1 by definition. */
function similarityMeans(cells: readonly LoopCell[], maxLoops: number): (number | null)[] {
  const sums = new Float64Array(maxLoops + 1);
  const scored = new Float64Array(maxLoops + 1);
  for (const { sustainedLoops: loops, similarity } of cells) {
    if (similarity === null || loops === 0) continue;
    sums[loops] = (sums[loops] ?? 0) + (loops - 1 + similarity) / loops;
    scored[loops] = (scored[loops] ?? 0) + 1;
  }
  return Array.from(sums, (sum, loops) =>
    loops === maxLoops ? 1 : scored[loops] === 0 ? null : sum / (scored[loops] ?? 1),
  );
}

/** sum / (M T); null when T = 0. */
function dividedByAll(weighted: readonly number[], counts: readonly number[]): number | null {
  const cells = counts.reduce((sum, count) => sum + count, 0);
  return cells === 0 ? null : weighted.reduce((sum, value) => sum + value, 0) / ((counts.length - 1) * cells);
}

const undefinedAsl = (reason: string): AslResult => ({ asl: null, reason });
