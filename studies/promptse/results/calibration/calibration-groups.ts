/** RQ4: calibration of one model, over groups of its samples. */
import { seedOf } from '../../../../domain/random.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';
import {
  type ClusterSum,
  ratioEstimate,
  type RatioEstimate,
} from '../../../../domain/statistics/intervals/ratio-estimate.ts';
import { type CalibrationEstimate, calibrationEstimate, type TaskBin } from './calibration.ts';
import { differenceBounds, shareBounds } from '../../../../domain/metrics/score-intervals.ts';
import { type GroupKind, type Place, placeGroups } from '../affect/place-groups.ts';

/** Samples of one task, prompt group and bin of confidence. */
export interface ConfidenceCell extends TaskBin, Place {
  /**
   * Failures with high confidence and successes with low confidence, by the study's limits; `Own`:
   * by the model's own quartiles; null where these are equal, so that no confidence of the model is high or low.
   */
  readonly sureFailures: number;
  readonly unsureSuccesses: number;
  readonly sureFailuresOwn: number | null;
  readonly unsureSuccessesOwn: number | null;
}

export interface Calibration {
  /** Null without confidences. */
  readonly calibration: CalibrationEstimate | null;
  /** Mean confidence minus the share of passed samples; above 0 is overconfident. */
  readonly overconfidence: RatioEstimate | null;
  /** Shares of all samples of the group. */
  readonly sureFailures: RatioEstimate | null;
  readonly unsureSuccesses: RatioEstimate | null;
  readonly sureFailuresOwn: RatioEstimate | null;
  readonly unsureSuccessesOwn: RatioEstimate | null;
}

/** Calibration of the samples of one group. @param name the bootstrap's seed is derived from it */
export function calibrationOf(
  cells: readonly ConfidenceCell[],
  name: readonly [model: string, by: GroupKind, group: string],
): Calibration {
  const over = (of: (cell: ConfidenceCell) => number, bounds: Interval = shareBounds): RatioEstimate | null =>
    ratioEstimate(cellSums(cells, of), bounds);
  const ifKnown = (of: (cell: ConfidenceCell) => number | null): RatioEstimate | null =>
    cells.some((cell) => of(cell) === null) ? null : over((cell) => of(cell) as number);
  return {
    calibration: calibrationEstimate(cells, { seed: seedOf('rq4', ...name) }),
    overconfidence: over(({ confidence, passed }) => confidence - passed, differenceBounds),
    sureFailures: over((cell) => cell.sureFailures),
    unsureSuccesses: over((cell) => cell.unsureSuccesses),
    sureFailuresOwn: ifKnown((cell) => cell.sureFailuresOwn),
    unsureSuccessesOwn: ifKnown((cell) => cell.unsureSuccessesOwn),
  };
}

export interface CalibrationGroup extends Calibration {
  readonly by: GroupKind;
  readonly name: string;
  readonly tasks: number;
  /** Non-empty bins of confidence; only for all samples, the original's and the variants'. */
  readonly bins: readonly CalibrationBin[];
}

/** Samples of one bin of confidence. */
export interface CalibrationBin {
  /** From 0. */
  readonly bin: number;
  /** Samples. */
  readonly n: number;
  readonly tasks: number;
  readonly meanConfidence: RatioEstimate | null;
  readonly passRate: RatioEstimate | null;
}

/** All samples, then the groups of `placeGroups`. */
export function calibrationGroups(model: string, cells: readonly ConfidenceCell[]): CalibrationGroup[] {
  const all = { by: 'all' as const, name: 'all samples', belongs: () => true };
  return [all, ...placeGroups(cells)].flatMap(({ by, name, belongs }) => {
    const own = cells.filter(belongs);
    if (own.length === 0) return [];
    const binned = by === 'all' || by === 'original' || by === 'variants';
    return [
      { by, name, tasks: tasksOf(own), ...calibrationOf(own, [model, by, name]), bins: binned ? binsOf(own) : [] },
    ];
  });
}

const tasksOf = (cells: readonly ConfidenceCell[]): number => new Set(cells.map(({ task }) => task)).size;

const binsOf = (cells: readonly ConfidenceCell[]): CalibrationBin[] =>
  [...Map.groupBy(cells, ({ bin }) => bin)]
    .toSorted(([first], [second]) => first - second)
    .map(([bin, own]) => ({
      ...{ bin, n: own.reduce((sum, { n }) => sum + n, 0), tasks: tasksOf(own) },
      meanConfidence: ratioEstimate(
        cellSums(own, ({ confidence }) => confidence),
        shareBounds,
      ),
      passRate: ratioEstimate(
        cellSums(own, ({ passed }) => passed),
        shareBounds,
      ),
    }));

/** Sums by task. */
const cellSums = (cells: readonly ConfidenceCell[], of: (cell: ConfidenceCell) => number): ClusterSum[] =>
  [...Map.groupBy(cells, ({ task }) => task).values()].map((own) => ({
    sum: own.reduce((sum, cell) => sum + of(cell), 0),
    n: own.reduce((sum, { n }) => sum + n, 0),
  }));
