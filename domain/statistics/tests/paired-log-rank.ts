/** Tests whether two models last equally long on the same tasks. */
import { rounding } from '../rounding.ts';
import { signFlipTest } from './sign-flip.ts';
import type { Duration } from '../survival-steps.ts';
import { type TestResult, undefinedTest } from './test-result.ts';

/** One task, with the ends of each model's cells. */
export interface PairedDurations {
  readonly first: readonly Duration[];
  readonly second: readonly Duration[];
}

export interface PairedLogRankOptions {
  /** From `seedOf(...)`. */
  readonly seed: number;
  /** Most swaps to draw; see `signFlipTest`. */
  readonly draws?: number;
}

/**
 * The log-rank test of two models over the same tasks, as a permutation test that swaps the two models within whole
 * tasks (R. Fisher 1935; the scores are those of Mantel's log-rank statistic 1966). A cell's score is 1 if it ended
 * (else 0), minus the pooled cumulative hazard up to its time; Mantel's observed minus expected is the sum of one
 * model's scores. A task counts with the difference of the two models' mean scores, so its difficulty cancels, and
 * repetitions, however similar, count as one difference. The statistic is (sum of differences)² / sum of squared
 * differences: chi-square with one degree of freedom for many tasks. Tasks that lack cells of a model do not count.
 */
export function pairedLogRank(tasks: readonly PairedDurations[], options: PairedLogRankOptions): TestResult {
  const paired = tasks.filter(({ first, second }) => first.length > 0 && second.length > 0);
  if (paired.length === 0) return undefinedTest(0, 'no task counts under both');
  const hazard = pooledHazard(paired.flatMap(({ first, second }) => [...first, ...second]));
  const meanScore = (cells: readonly Duration[]): number =>
    cells.reduce((sum, { time, ended }) => sum + Number(ended) - (hazard[time] as number), 0) / cells.length;
  const differences = paired.map(({ first, second }) => meanScore(first) - meanScore(second));
  const squares = differences.reduce((sum, value) => sum + value ** 2, 0);
  const n = paired.reduce((cells, { first, second }) => cells + first.length + second.length, 0);
  if (squares <= n * rounding ** 2)
    return undefinedTest(n, 'nothing tells the two apart: each task ended alike under both');
  const statistic = differences.reduce((sum, value) => sum + value, 0) ** 2 / squares;
  return { statistic, p: signFlipTest(differences, options).p, n, reason: null };
}

/** By time: the sum of ended / at risk up to it, over all cells (Nelson-Aalen). */
function pooledHazard(cells: readonly Duration[]): number[] {
  const last = cells.reduce((most, { time }) => Math.max(most, time), 0);
  const [ends, lost] = [new Float64Array(last + 1), new Float64Array(last + 1)];
  for (const { time, ended } of cells) {
    const counted = ended ? ends : lost;
    counted[time] = (counted[time] as number) + 1;
  }
  const hazard = [0];
  for (let time = 1, atRisk = cells.length; time <= last; time += 1) {
    hazard[time] = (hazard[time - 1] as number) + (ends[time] as number) / atRisk;
    atRisk -= (ends[time] as number) + (lost[time] as number);
  }
  return hazard;
}
