/** Rows of table `regression`: two versions of a model on the same tasks and phrasings, condition by condition and metric by metric. */
import type { Row } from '../../schemas/tables.ts';
import { endColumns, stdevMethod } from './nfr-summary-rows.ts';
import { type ConditionCells, conditionCells, type Measure, measuresOf, partOf, type Place, type Solution } from './nfr-solutions.ts';
import type { TaskPair } from './phrasing-values.ts';
import type { SolutionMetricName } from './solution-metrics.ts';
import { compareVersions, type VersionCells } from './version-comparison.ts';

/** Answers of both versions to the same questions. */
export interface VersionPair {
  readonly old: readonly Solution[];
  readonly now: readonly Solution[];
}

export interface ComparedCells extends VersionCells {
  readonly setting: string;
  readonly dimension: string;
  readonly measure: Measure;
  /** Ids of `tasks`, in their order. */
  readonly taskIds: readonly string[];
  readonly simulated: boolean;
}

export type Margins = Readonly<Record<SolutionMetricName, number>>;

/** What can be compared of two versions: conditions that both have, on the tasks and places that both have. @param margins default: 0 */
export function comparedCells({ old, now }: VersionPair, margins?: Margins): ComparedCells[] {
  const earlier = new Map(conditionCells(old).map((cells) => [nameOf(cells), cells]));
  const measures = measuresOf([...old, ...now]);
  return conditionCells(now).flatMap((cells) => {
    const before = earlier.get(nameOf(cells));
    if (before === undefined) return [];
    return measures.map((measure) => ({
      name: `${nameOf(cells)}/${measure.metric}/${measure.suite ?? ''}`,
      metric: measure.metric,
      margin: margins?.[measure.metric] ?? 0,
      tasks: pairsOf(before, cells, measure),
      taskIds: [...cells.tasks.keys()].filter((taskId) => before.tasks.has(taskId)),
      setting: cells.setting,
      dimension: cells.dimension,
      measure,
      simulated: before.simulated || cells.simulated,
    }));
  });
}

const nameOf = ({ setting, dimension }: ConditionCells): string => `${setting}/${dimension}`;

function pairsOf(old: ConditionCells, now: ConditionCells, measure: Measure): TaskPair[] {
  const name = ({ variant, repetition, phrasing }: Place): string => JSON.stringify([variant, repetition, phrasing]);
  const places = now.places.flatMap((place, index) => {
    const before = old.places.findIndex((other) => name(other) === name(place));
    return before < 0 ? [] : [{ before, index }];
  });
  return [...now.tasks].flatMap(([taskId, solutions]) => {
    const earlier = old.tasks.get(taskId);
    if (earlier === undefined) return [];
    return [
      {
        old: places.map(({ before }) => partOf(earlier[before], measure)),
        now: places.map(({ index }) => partOf(solutions[index], measure)),
      },
    ];
  });
}

interface RegressionKey {
  readonly run: string;
  readonly study: string;
  readonly old_model: string;
  readonly model: string;
  readonly benchmark: string;
  readonly language: string;
}

interface RegressionSettings {
  readonly seed: number;
  readonly alpha: number;
  readonly margins: Margins;
  readonly missing: (measure: Measure) => string;
}

/** One family: all comparisons of one pair. */
export function regressionRows(key: RegressionKey, pair: VersionPair, { seed, alpha, margins, missing }: RegressionSettings): Row[] {
  const cells = comparedCells(pair, margins);
  return compareVersions(cells, { seed, alpha }).map((found, index) => {
    const { setting, dimension, measure, margin, simulated } = cells[index] as ComparedCells;
    return {
      ...key,
      setting,
      dimension,
      metric: measure.metric,
      suite: measure.suite,
      ...endColumns('old_mean', found.old.mean, found.old.meanInterval),
      ...endColumns('old_stdev', found.old.stdev, found.old.stdevInterval),
      ...endColumns('new_mean', found.now.mean, found.now.meanInterval),
      ...endColumns('new_stdev', found.now.stdev, found.now.stdevInterval),
      ...endColumns('difference', found.difference, found.interval),
      ...endColumns('delta_percent', found.deltaPercent, found.deltaInterval),
      ratio: found.ratio?.ratio ?? null,
      ratio_lo: found.ratio?.interval.lo ?? null,
      ratio_hi: found.ratio?.interval.hi ?? null,
      n_ratio: found.ratio?.n ?? null,
      level: 1 - alpha,
      confidence: 1 - alpha,
      interval_method: `${found.intervalMethod}; ${stdevMethod}`,
      method: found.method,
      p: found.p,
      welch_p: found.welch?.p ?? null,
      welch_lo: found.welch?.interval.lo ?? null,
      welch_hi: found.welch?.interval.hi ?? null,
      p_adjusted: found.pAdjusted,
      smallest_effect: found.smallestEffect,
      margin,
      verdict: found.verdict,
      n: found.n,
      n_excluded: found.nExcluded,
      reason: found.difference === null ? missing(measure) : null,
      simulated,
    };
  });
}
