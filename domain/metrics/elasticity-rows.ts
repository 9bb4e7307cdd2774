/** Rows of table `elasticity` from rows of table `prompt_scores`, for one study, model and setting at a time. Everything in key order. */
import { type Row, tables } from '../../schemas/tables.ts';
import { type Distance, distances } from './auc-e.ts';
import { elasticityFull, elasticityLight, floorFull, floorLight } from './elasticity.ts';
import { compareByColumns, groupByColumns, numberOf } from './row-order.ts';

export const methods = ['full', 'light'] as const;
export type Method = (typeof methods)[number];

/** The score that a method compares: SoftExec, or the pass rate. */
const scoreColumn = { full: 'soft_exec', light: 'pass_rate' } as const satisfies Record<Method, string>;

/**
 * One row per task, distance and method, in key order.
 * @param variants wanted per task and distance; those without a score are counted as excluded
 */
export function elasticityRows(scores: readonly Row[], variants: number): Row[] {
  const sorted = scores.toSorted(compareByColumns(tables.prompt_scores.key));
  const byTask = groupByColumns(sorted, ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'task_id']);
  const rows = byTask.flatMap((task) =>
    distances.flatMap((distance) => methods.map((method) => elasticityRow(task, distance, method, variants))),
  );
  return rows.toSorted(compareByColumns(tables.elasticity.key));
}

const keyColumns = tables.elasticity.key.filter((column) => column !== 'distance' && column !== 'method');

function elasticityRow(task: readonly Row[], distance: Distance, method: Method, wanted: number): Row {
  const column = scoreColumn[method];
  const originals = task.filter((row) => row['variant'] === 'original');
  const baseline = originals.find((row) => row['repetition'] === 0);
  const score = (baseline?.[column] ?? null) as number | null;
  const used = task.filter((row) => row['distance'] === distance && row[column] !== null);
  const scores = used.map((row) => numberOf(row, column));
  const elasticity = score === null ? null : elasticityOf(method, score, scores);
  const floor = elasticity === null ? null : floorOf(method, originals, used);
  const mean = scores.length === 0 ? null : scores.reduce((sum, value) => sum + value, 0) / scores.length;
  return {
    ...Object.fromEntries(keyColumns.map((name) => [name, task[0]?.[name] ?? null])),
    distance,
    method,
    score_original: score,
    score_variants: mean,
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

const elasticityOf = (method: Method, score: number, scores: readonly number[]): number | null =>
  method === 'full' ? elasticityFull(score, scores) : elasticityLight(score, scores);

/** From all draws of the original: pairs of them, or their pooled pass rate at the variants' number of samples. */
function floorOf(method: Method, originals: readonly Row[], variants: readonly Row[]): number | null {
  if (originals.length < 2) return null;
  if (method === 'full') return floorFull(originals.flatMap((row) => (row['soft_exec'] === null ? [] : [numberOf(row, 'soft_exec')])));
  const total = (rows: readonly Row[], column: string): number => rows.reduce((sum, row) => sum + numberOf(row, column), 0);
  const baseline = originals.filter((row) => row['repetition'] === 0);
  const [m, n] = [total(baseline, 'n_samples'), total(variants, 'n_samples')];
  return floorLight(total(originals, 'n_passed') / total(originals, 'n_samples'), m, n);
}

function reasonOf(method: Method, baseline: Row | undefined, score: number | null): string {
  if (baseline === undefined) return 'the original was not sampled';
  if (score !== null) return 'no variant has a score';
  const without = numberOf(baseline, 'n_without_logprobs');
  if (method === 'full' && without > 0) return `${without} samples of the original came without log-probabilities`;
  return 'no sample of the original counts';
}
