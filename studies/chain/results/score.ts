/**
 * Scores of translation chains (EVALOOP, section 5), over counted cells. `squares`, as in the paper's text: each
 * passed step is a loop of ASL, a failure ends the chain, ASL = sum of n_i i^2 / (M T). `counts`, as in the authors'
 * code: each step translates the code before it, right or wrong, and the score is all passed steps over T. Both lie
 * in [0, M].
 */
import { aslUnweighted, sustainedCounts } from '../../../domain/metrics/asl.ts';

export interface ChainCell {
  readonly taskId: string;
  /** Steps passed in a row from the first, 0 to M. */
  readonly sustainedSteps: number;
  /** Steps passed in all, 0 to M. */
  readonly passedSteps: number;
}

export type ChainScoring = 'squares' | 'counts';

/** A cell's contribution, in [0, M]: the score is the mean of these. */
export const chainPoints = (
  { sustainedSteps, passedSteps }: ChainCell,
  steps: number,
  scoring: ChainScoring,
): number => (scoring === 'counts' ? passedSteps : sustainedSteps ** 2 / steps);

/** Null without cells. Example: with `squares`, M = 5 and 5, 2 and 0 sustained steps give 29/15. */
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
