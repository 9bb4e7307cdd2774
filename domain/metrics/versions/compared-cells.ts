/** Pairs the cells of two versions of a model: the same conditions, tasks and phrasings, metric by metric. */
import type { Measure, Solution } from '../nfr-solutions.ts';
import { sharedCells } from '../sides/shared-cells.ts';
import type { SolutionMetricName } from '../solution-metrics.ts';
import type { VersionCells } from './version-cells.ts';

/** Answers of both versions to the same questions. */
export interface VersionPair {
  readonly old: readonly Solution[];
  readonly now: readonly Solution[];
}

export interface ComparedCells extends VersionCells {
  readonly setting: string;
  readonly dimension: string;
  readonly measure: Measure;
  readonly simulated: boolean;
}

export type Margins = Readonly<Record<SolutionMetricName, number>>;

/** The cells that two versions have in common: same condition, task and place. */
export const comparedCells = ({ old, now }: VersionPair, margins: Margins): ComparedCells[] =>
  sharedCells([old, now]).map(({ measure, setting, dimension, tasks, answered, simulated }) => ({
    name: `${setting}/${dimension}/${measure.metric}/${measure.suite ?? ''}`,
    metric: measure.metric,
    margin: margins[measure.metric],
    tasks: tasks.map(([before = [], after = []]) => ({ old: before, now: after })),
    answered,
    setting,
    dimension,
    measure,
    simulated,
  }));
