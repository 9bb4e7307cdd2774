/** Rows of tables `nfr_summary` and `nfr_phrasings` of one study and model: AVG and STDEV over phrasings, and the change against Function-Only. */
import type { Row } from '../../schemas/tables.ts';
import { seedOf } from '../random.ts';
import { defaultResamples, percentileInterval, resampledValues } from '../statistics/bootstrap.ts';
import { defaultLevel } from '../statistics/interval.ts';
import { deltaPercent } from './delta.ts';
import { type ConditionCells, conditionCells, functionOnlyOf, type Measure, measuresOf, partOf, type Solution } from './nfr-solutions.ts';
import { packedAverage, packedParts, phrasingSpread, type TaskParts } from './phrasing-values.ts';
import { solutionMetrics } from './solution-metrics.ts';

export interface NfrKey {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly benchmark: string;
  readonly language: string;
}

export interface NfrSettings {
  /** The spec's seed. */
  readonly seed: number;
  /** Default 2,000. */
  readonly resamples?: number;
  /** Share of tasks whose reference passes a suite; null where it is not known. */
  readonly ceiling: (suite: string) => number | null;
  /** Why a metric has no values at all, for people. */
  readonly missing: (measure: Measure) => string;
}

export interface NfrSummary {
  readonly nfr_summary: readonly Row[];
  readonly nfr_phrasings: readonly Row[];
}

export function nfrSummaryRows(key: NfrKey, solutions: readonly Solution[], settings: NfrSettings): NfrSummary {
  const conditions = conditionCells(solutions);
  const baseline = functionOnlyOf(conditions);
  const rows = conditions.flatMap((cells) =>
    measuresOf(solutions).map((measure) => conditionRows(key, cells, baseline, measure, settings)),
  );
  return { nfr_summary: rows.map(({ summary }) => summary), nfr_phrasings: rows.flatMap(({ phrasings }) => phrasings) };
}

/** A task's parts with the requirement, and those of Function-Only. */
interface TaskWithBaseline {
  readonly own: TaskParts;
  readonly plain: TaskParts;
}

function conditionRows(
  key: NfrKey,
  cells: ConditionCells,
  baseline: ConditionCells | undefined,
  measure: Measure,
  settings: NfrSettings,
): { readonly summary: Row; readonly phrasings: readonly Row[] } {
  const { metric, suite } = measure;
  const { scale } = solutionMetrics[metric];
  const tasks = withBaseline(cells, baseline, measure);
  const spread = phrasingSpread(
    tasks.map(({ own }) => own),
    scale,
  );
  const plain = phrasingSpread(
    tasks.map((task) => task.plain),
    scale,
  ).mean;
  const own = { ...key, setting: cells.setting, dimension: cells.dimension, metric, suite };
  const summary: Row = {
    ...own,
    n_values: spread.values.filter((value) => value !== null).length,
    mean: spread.mean,
    stdev: spread.stdev,
    function_only: plain,
    delta_percent: deltaPercent(spread.mean, plain),
    ...(spread.mean === null ? noIntervals : intervals(tasks, scale, seedFor(own, settings), settings.resamples)),
    level: defaultLevel,
    method: `percentile bootstrap over tasks, ${settings.resamples ?? defaultResamples} resamples`,
    n: spread.n,
    n_excluded: spread.nExcluded,
    reason: spread.mean === null ? settings.missing(measure) : null,
    ceiling: suite === null ? null : percentage(settings.ceiling(suite)),
    simulated: cells.simulated,
  };
  const phrasings = cells.places.map(
    (place, index): Row => ({
      ...own,
      ...place,
      value: spread.values[index] ?? null,
      simulated: cells.simulated,
    }),
  );
  return { summary, phrasings: spread.mean === null ? [] : phrasings };
}

/** Tasks of the condition; one that Function-Only lacks has no parts there. */
function withBaseline(cells: ConditionCells, baseline: ConditionCells | undefined, measure: Measure): TaskWithBaseline[] {
  const width = baseline?.places.length ?? 0;
  return [...cells.tasks].map(([taskId, solutions]) => {
    const plain = baseline?.tasks.get(taskId) ?? Array.from({ length: width }, () => undefined);
    return {
      own: solutions.map((solution) => partOf(solution, measure)),
      plain: plain.map((solution) => partOf(solution, measure)),
    };
  });
}

const noIntervals = { mean_lo: null, mean_hi: null, delta_percent_lo: null, delta_percent_hi: null };

/** Whole tasks are drawn, with all their phrasings and their Function-Only answers. */
function intervals(tasks: readonly TaskWithBaseline[], scale: number, seed: number, resamples?: number): Row {
  const packed = tasks.map(({ own, plain }) => ({ own: packedParts(own), plain: packedParts(plain) }));
  const average = packedAverage(scale);
  const drawn = resampledValues(
    packed,
    (some) => {
      const mean = average(some.map(({ own }) => own));
      return { mean, delta: deltaPercent(mean, average(some.map(({ plain }) => plain))) };
    },
    { seed, ...(resamples === undefined ? {} : { resamples }) },
  );
  const mean = percentileInterval(drawn.flatMap((one) => one.mean ?? []));
  const delta = percentileInterval(drawn.flatMap((one) => one.delta ?? []));
  return { mean_lo: mean?.lo ?? null, mean_hi: mean?.hi ?? null, delta_percent_lo: delta?.lo ?? null, delta_percent_hi: delta?.hi ?? null };
}

const seedFor = (own: NfrKey & Record<string, string | null>, { seed }: NfrSettings): number =>
  seedOf(
    'nfr_summary',
    seed,
    own.study,
    own.model,
    own.benchmark,
    own['setting'] ?? '',
    own['dimension'] ?? '',
    own['metric'] ?? '',
    own['suite'] ?? '',
  );

const percentage = (share: number | null): number | null => (share === null ? null : 100 * share);
