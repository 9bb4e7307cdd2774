/** Pairs the cells of two versions of a model: the same conditions, tasks and phrasings, metric by metric. */
import type { Measure, Solution } from '../nfr-solutions.ts';
import type { TaskPair } from '../phrasing-values.ts';
import { passingOf } from '../sides/passing-times.ts';
import { sharedCells } from '../sides/shared-cells.ts';
import type { SideParts } from '../sides/side-values.ts';
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
export function comparedCells({ old, now }: VersionPair, margins: Margins): ComparedCells[] {
  const shared = sharedCells([old, now]);
  return shared.map((cells) => {
    const { measure, setting, dimension, tasks, answered, simulated } = cells;
    const judged = passingOf(cells, shared);
    return {
      name: `${setting}/${dimension}/${measure.metric}/${measure.suite ?? ''}`,
      metric: measure.metric,
      margin: margins[measure.metric],
      tasks: pairsOf(tasks),
      ...(judged !== cells && { judgedTasks: pairsOf(judged.tasks) }),
      answered,
      setting,
      dimension,
      measure,
      simulated,
    };
  });
}

const pairsOf = (tasks: readonly SideParts[]): TaskPair[] =>
  tasks.map(([before = [], after = []]) => ({ old: before, now: after }));
