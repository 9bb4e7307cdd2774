/**
 * Rows of table `elasticity` from rows of table `prompt_scores`, for one study, model and setting
 * at a time, in key order.
 */
import { type Row, tables } from '../../../../schemas/tables.ts';
import { type Distance, distances } from '../../distances.ts';
import { elasticityFull, elasticityLight, floorFull, floorLight } from './elasticity.ts';
import { compareByColumns, groupByColumns, numberOf } from '../../../../domain/metrics/row-order.ts';

export const methods = ['full', 'light'] as const;
export type Method = (typeof methods)[number];

/** The score that a method compares: SoftExec, or the pass rate of the samples that PromptSELight uses. */
const scoreOf = (method: Method, row: Row): number | null =>
  method === 'full' ? ((row['soft_exec'] ?? null) as number | null) : lightRate(row);

function lightRate(row: Row): number | null {
  const [passed, samples] = lightCounts(row);
  return samples === 0 ? null : passed / samples;
}

/** Passed and counted samples for PromptSELight; tables of older programs only have those of all samples. */
const lightCounts = (row: Row): readonly [passed: number, samples: number] =>
  row['light_samples'] == null
    ? [numberOf(row, 'n_passed'), numberOf(row, 'n_samples')]
    : [numberOf(row, 'light_passed'), numberOf(row, 'light_samples')];

/**
 * One row per task, distance and method, in key order.
 * @param variants expected number per task and distance; those without a score count as excluded
 */
export function elasticityRows(scores: readonly Row[], variants: number): Row[] {
  const sorted = scores.toSorted(compareByColumns(tables.prompt_scores.key));
  const byTask = groupByColumns(sorted, ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'task_id']);
  const floor = rememberedFloorLight();
  const rows = byTask.flatMap((task) =>
    distances.flatMap((distance) => methods.map((method) => elasticityRow(task, distance, method, variants, floor))),
  );
  return rows.toSorted(compareByColumns(tables.elasticity.key));
}

const keyColumns = tables.elasticity.key.filter((column) => column !== 'distance' && column !== 'method');

/** Many tasks have the same pass rate, and so the same floor. */
function rememberedFloorLight(): typeof floorLight {
  const known = new Map<string, number>();
  return (p, m, n) => {
    const key = `${p} ${m} ${n}`;
    const found = known.get(key) ?? floorLight(p, m, n);
    known.set(key, found);
    return found;
  };
}

function elasticityRow(
  task: readonly Row[],
  distance: Distance,
  method: Method,
  wanted: number,
  floorOfRate: typeof floorLight,
): Row {
  const originals = task.filter((row) => row['variant'] === 'original');
  const baseline = originals.find((row) => row['repetition'] === 0);
  const score = baseline === undefined ? null : scoreOf(method, baseline);
  const used = task.filter((row) => row['distance'] === distance && scoreOf(method, row) !== null);
  const scores = used.map((row) => scoreOf(method, row) as number);
  const elasticity = score === null ? null : elasticityOf(method, score, scores);
  const floor = elasticity === null ? null : floorOf(method, originals, used, floorOfRate);
  const mean = scores.length === 0 ? null : scores.reduce((sum, value) => sum + value, 0) / scores.length;
  return {
    ...Object.fromEntries(keyColumns.map((name) => [name, task[0]?.[name] ?? null])),
    distance,
    method,
    score_original: score,
    score_variants: mean,
    pass_rate_original: baseline?.['pass_rate'] ?? null,
    n_samples: baseline === undefined ? null : samplesOf(method, baseline),
    delta: score === null || mean === null ? null : mean - score,
    elasticity,
    floor,
    excess: elasticity === null || floor === null ? null : elasticity - floor,
    n_variants: scores.length,
    n_excluded: wanted - scores.length,
    reason: elasticity === null ? reasonOf(method, baseline, score) : null,
    simulated: task.some((row) => row['simulated'] === true),
  };
}

const samplesOf = (method: Method, row: Row): number =>
  method === 'full' ? numberOf(row, 'n_samples') : lightCounts(row)[1];

const elasticityOf = (method: Method, score: number, scores: readonly number[]): number | null =>
  method === 'full' ? elasticityFull(score, scores) : elasticityLight(score, scores);

/** From all draws of the original: their pairs, or their pooled pass rate with the variants' number of samples. */
function floorOf(
  method: Method,
  originals: readonly Row[],
  variants: readonly Row[],
  floorOfRate: typeof floorLight,
): number | null {
  if (originals.length < 2) return null;
  if (method === 'full')
    return floorFull(originals.flatMap((row) => (row['soft_exec'] === null ? [] : [numberOf(row, 'soft_exec')])));
  const total = (rows: readonly Row[], value: (row: Row) => number): number =>
    rows.reduce((sum, row) => sum + value(row), 0);
  const baseline = originals.filter((row) => row['repetition'] === 0);
  const [m, n] = [total(baseline, (row) => lightCounts(row)[1]), total(variants, (row) => lightCounts(row)[1])];
  const rate =
    total(originals, (row) => numberOf(row, 'n_passed')) / total(originals, (row) => numberOf(row, 'n_samples'));
  return floorOfRate(rate, m, n);
}

function reasonOf(method: Method, baseline: Row | undefined, score: number | null): string {
  if (baseline === undefined) return 'the original was not sampled';
  if (score !== null) return 'no variant has a score';
  const without = numberOf(baseline, 'n_without_logprobs');
  if (method === 'full' && without > 0) return `${without} samples of the original came without log-probabilities`;
  return 'no sample of the original counts';
}
