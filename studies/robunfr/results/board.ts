/**
 * RobuNFR's results: AVG, STDEV and change from Function-Only by model and requirement, and the verdicts on versions.
 */
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import { type Estimate, estimateOf } from '../../../analysis/estimate.ts';
import type { RobunfrTables } from './tables.ts';

export interface NfrRow {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly model: string;
  readonly workflow: string;
  readonly dimension: string;
  readonly metric: string;
  readonly suite: string | null;
  readonly mean: Estimate | null;
  readonly stdev: number | null;
  /** STDEV with its interval. */
  readonly spread: Estimate | null;
  /** Of pass rates: what the phrasings differ by, and what equal phrasings would show. Null in older tables. */
  readonly byPhrasing: Estimate | null;
  readonly byChance: Estimate | null;
  readonly deltaPercent: Estimate | null;
  /** Only for times: geometric mean over tasks of the ratio to Function-Only. */
  readonly ratio: Estimate | null;
  /** Null in tables of an older program. */
  readonly nTasks: number | null;
  readonly n: number;
  readonly nExcluded: number;
  readonly reason: string | null;
  readonly ceiling: number | null;
  readonly simulated: boolean;
}

export interface RegressionRow {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly old: string;
  readonly now: string;
  readonly dimension: string;
  readonly metric: string;
  readonly suite: string | null;
  readonly oldMean: number | null;
  readonly oldRange: Interval | null;
  readonly oldStdev: number | null;
  readonly newMean: number | null;
  readonly newRange: Interval | null;
  readonly difference: Estimate | null;
  readonly deltaPercent: number | null;
  readonly deltaRange: Interval | null;
  /** Only for times: geometric mean over tasks of new / old. */
  readonly ratio: Estimate | null;
  readonly method: string;
  /** Only for times: Welch's test as in the paper. */
  readonly welchP: number | null;
  readonly pAdjusted: number | null;
  readonly smallestEffect: number | null;
  readonly verdict: string;
  readonly n: number;
  readonly nExcluded: number;
  readonly reason: string | null;
  readonly simulated: boolean;
}

export interface RobunfrBoard {
  readonly summaries: readonly NfrRow[];
  readonly regressions: readonly RegressionRow[];
}

export const robunfrBoard = ({ nfr_summary, nfr_stdev_parts, regression }: RobunfrTables): RobunfrBoard => ({
  summaries: withStdevParts(nfr_summary, nfr_stdev_parts)
    .map(summaryOf)
    .toSorted((a, b) => compare([a.run, a.study, a.model], [b.run, b.study, b.model]) || inOrder(a, b)),
  regressions: regression
    .map(regressionOf)
    .toSorted((a, b) => compare([a.run, a.study, a.old, a.now], [b.run, b.study, b.old, b.now]) || inOrder(a, b)),
});

interface Placed {
  readonly workflow?: string;
  readonly dimension: string;
  readonly metric: string;
}

const workflows = ['function-only', 'nfr-integrated', 'nfr-enhanced'];
const metrics = Object.keys(solutionMetrics);
const plainFirst = ({ dimension }: Placed): string => (dimension === 'function-only' ? '' : dimension);

/** Plain code first, then by workflow and requirement; pass before quality and time. Suites keep their order. */
export const inOrder = (a: Placed, b: Placed): number =>
  workflows.indexOf(a.workflow ?? '') - workflows.indexOf(b.workflow ?? '') ||
  compare([plainFirst(a)], [plainFirst(b)]) ||
  metrics.indexOf(a.metric) - metrics.indexOf(b.metric);

function compare(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((text, index) => text !== other[index]);
  return at < 0 ? 0 : (one[at] as string) < (other[at] as string) ? -1 : 1;
}

/** Adds the columns of the parts of STDEV to the rows that have them. */
function withStdevParts(summaries: readonly Row[], parts: readonly Row[]): Row[] {
  const nameOf = (row: Row): string => JSON.stringify(tables.nfr_stdev_parts.key.map((column) => row[column] ?? null));
  const byName = new Map(parts.map((row) => [nameOf(row), row]));
  return summaries.map((row) => {
    const { phrasing = null, phrasing_lo = null, phrasing_hi = null, ...part } = byName.get(nameOf(row)) ?? noPart;
    const { chance = null, chance_lo = null, chance_hi = null } = part;
    return { ...row, phrasing, phrasing_lo, phrasing_hi, chance, chance_lo, chance_hi };
  });
}
const noPart: Row = {};

const summaryOf = (row: Row): NfrRow => ({
  ...placeOf(row),
  model: textOf(row, 'model'),
  workflow: textOf(row, 'setting'),
  mean: estimateOf(row, 'mean'),
  stdev: numberOrNull(row, 'stdev'),
  spread: estimateOf(row, 'stdev'),
  byPhrasing: estimateOf(row, 'phrasing'),
  byChance: estimateOf(row, 'chance'),
  deltaPercent: estimateOf(row, 'delta_percent'),
  ratio: estimateOf(row, 'ratio'),
  nTasks: numberOrNull(row, 'n_tasks'),
  ceiling: numberOrNull(row, 'ceiling'),
});

const regressionOf = (row: Row): RegressionRow => ({
  ...placeOf(row),
  old: textOf(row, 'old_model'),
  now: textOf(row, 'model'),
  oldMean: numberOrNull(row, 'old_mean'),
  oldRange: estimateOf(row, 'old_mean')?.interval ?? null,
  oldStdev: numberOrNull(row, 'old_stdev'),
  newMean: numberOrNull(row, 'new_mean'),
  newRange: estimateOf(row, 'new_mean')?.interval ?? null,
  difference: estimateOf(row, 'difference'),
  deltaPercent: numberOrNull(row, 'delta_percent'),
  deltaRange: estimateOf(row, 'delta_percent')?.interval ?? null,
  ratio: estimateOf(row, 'ratio'),
  method: textOf(row, 'method'),
  welchP: numberOrNull(row, 'welch_p'),
  pAdjusted: numberOrNull(row, 'p_adjusted'),
  // Earlier programs stored 0 where no task changed, which detects nothing.
  smallestEffect: numberOrNull(row, 'smallest_effect') || null,
  verdict: textOf(row, 'verdict'),
});

const placeOf = (row: Row) => ({
  run: textOf(row, 'run'),
  study: textOf(row, 'study'),
  benchmark: textOf(row, 'benchmark'),
  dimension: textOf(row, 'dimension'),
  metric: textOf(row, 'metric'),
  suite: textOrNull(row, 'suite'),
  n: numberOf(row, 'n'),
  nExcluded: numberOf(row, 'n_excluded'),
  reason: textOrNull(row, 'reason'),
  simulated: row['simulated'] === true,
});

const textOrNull = (row: Row, column: string): string | null => (row[column] == null ? null : textOf(row, column));
