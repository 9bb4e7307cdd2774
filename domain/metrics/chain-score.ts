/**
 * Scores of translation chains (EVALOOP, section 5), from cells that count. `squares`, the text: each success is a loop of ASL, failure ends the chain,
 * ASL = sum of n_i i^2 / (M T). `counts`, the authors' code: every step is fed the one before, and the score is linear in the passes of the steps: their
 * sum over T. Both lie in [0, M].
 */
import { aslUnweighted, sustainedCounts } from './asl.ts';

export interface ChainCell {
  readonly taskId: string;
  /** Steps passed in a row from the first, 0 to M. */
  readonly sustainedSteps: number;
  /** Steps passed in all, 0 to M. */
  readonly passedSteps: number;
}

export type ChainScoring = 'squares' | 'counts';

/** A cell's part, in [0, M]: the score is the mean of these. */
export const chainPoints = ({ sustainedSteps, passedSteps }: ChainCell, steps: number, scoring: ChainScoring): number =>
  scoring === 'counts' ? passedSteps : sustainedSteps ** 2 / steps;

/** Null without cells. Example: M = 5, sustained 5, 2, 0 gives 29/15 by squares. */
export function chainScore(cells: readonly ChainCell[], steps: number, scoring: ChainScoring): number | null {
  if (cells.length === 0) return null;
  if (scoring === 'counts') return cells.reduce((sum, { passedSteps }) => sum + passedSteps, 0) / cells.length;
  return aslUnweighted(
    sustainedCounts(
      cells.map(({ sustainedSteps }) => ({ sustainedLoops: sustainedSteps, similarity: null })),
      steps,
    ),
  );
}
