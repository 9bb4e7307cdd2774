/**
 * Rows of table `elasticity` from rows of table `prompt_scores`, for one study, model and setting
 * at a time, in key order.
 */
import { type Row, tables } from '../../../../schemas/tables.ts';
import { type Distance, distances } from '../../distances.ts';
import type { Answers } from './dealt-answers.ts';
import { noScoreReason } from './no-score.ts';
import { elasticityFull, elasticityLight, excessLight, floorFull } from './elasticity.ts';
import { compareByColumns, groupByColumns, numberOf } from '../../../../domain/metrics/row-order.ts';

export const methods = ['full', 'light'] as const;
export type Method = (typeof methods)[number];

/** The score that a method compares: SoftExec, or the pass rate of the samples that PromptSELight uses. */
const scoreOf = (method: Method, row: Row): number | null =>
  method === 'full' ? ((row['soft_exec'] ?? null) as number | null) : lightRate(row);

function lightRate(row: Row): number | null {
  const { passed, count } = lightCounts(row);
  return count === 0 ? null : passed / count;
}

export const allCounts = (row: Row): Answers => ({
  passed: numberOf(row, 'n_passed'),
  count: numberOf(row, 'n_samples'),
});

/** Passed and counted samples for PromptSELight; tables of older programs only have those of all samples. */
export const lightCounts = (row: Row): Answers =>
  row['light_samples'] == null
    ? allCounts(row)
    : { passed: numberOf(row, 'light_passed'), count: numberOf(row, 'light_samples') };

const together = (counts: readonly Answers[]): Answers => ({
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  count: counts.reduce((sum, { count }) => sum + count, 0),
});

/** What is known of a study and model beyond the scores. */
interface AskedOf {
  /** Expected variants per task and distance; those without a score count as excluded. */
  readonly variants: number;
  /** Why no log-probabilities were requested; null if they were. */
  readonly notAsked: string | null;
}

/**
 * One row per task, distance and method, in key order.
 * @param of the expected variants alone, if log-probabilities were requested
 */
export function elasticityRows(scores: readonly Row[], of: number | AskedOf): Row[] {
  const asked = typeof of === 'number' ? { variants: of, notAsked: null } : of;
  const sorted = scores.toSorted(compareByColumns(tables.prompt_scores.key));
  const byTask = groupByColumns(sorted, ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'task_id']);
  const excessOf = rememberedExcessLight();
  const rows = byTask.flatMap((task) =>
    distances.flatMap((distance) => methods.map((method) => elasticityRow(task, distance, method, asked, excessOf))),
  );
  return rows.toSorted(compareByColumns(tables.elasticity.key));
}

const keyColumns = tables.elasticity.key.filter((column) => column !== 'distance' && column !== 'method');

/** Many tasks have the same numbers of answers that passed, and so the same excess. */
function rememberedExcessLight(): typeof excessLight {
  const known = new Map<string, ReturnType<typeof excessLight>>();
  return (answers) => {
    const key = JSON.stringify(answers);
    const found = known.get(key);
    if (found !== undefined) return found;
    const excess = excessLight(answers);
    known.set(key, excess);
    return excess;
  };
}

function elasticityRow(
  task: readonly Row[],
  distance: Distance,
  method: Method,
  { variants: wanted, notAsked }: AskedOf,
  lightExcess: typeof excessLight,
): Row {
  const originals = task.filter((row) => row['variant'] === 'original');
  const baseline = originals.find((row) => row['repetition'] === 0);
  const score = baseline === undefined ? null : scoreOf(method, baseline);
  const variants = task.filter((row) => row['distance'] === distance);
  const used = variants.filter((row) => scoreOf(method, row) !== null);
  const scores = used.map((row) => scoreOf(method, row) as number);
  const elasticity = score === null ? null : elasticityOf(method, score, scores);
  const byChance = elasticity === null ? null : floorOf(method, elasticity, [originals, used], lightExcess);
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
    floor: byChance?.floor ?? null,
    floor_samples: byChance?.samples ?? null,
    excess: byChance?.excess ?? null,
    n_variants: scores.length,
    n_excluded: wanted - scores.length,
    reason:
      elasticity === null ? noScoreReason({ method, baseline, variants, hasScore: score !== null, notAsked }) : null,
    simulated: task.some((row) => row['simulated'] === true),
  };
}

const samplesOf = (method: Method, row: Row): number =>
  method === 'full' ? numberOf(row, 'n_samples') : lightCounts(row).count;

const elasticityOf = (method: Method, score: number, scores: readonly number[]): number | null =>
  method === 'full' ? elasticityFull(score, scores) : elasticityLight(score, scores);

interface Floor {
  readonly floor: number;
  readonly excess: number;
  /** Of the light method. */
  readonly samples: number | null;
}

/**
 * The full floor is that of all pairs of draws of the original. The light one is what its excess leaves of the
 * elasticity, at most 1: with few answers that are excluded, an estimate can be a little higher.
 */
function floorOf(
  method: Method,
  elasticity: number,
  [originals, variants]: readonly [originals: readonly Row[], variants: readonly Row[]],
  lightExcess: typeof excessLight,
): Floor | null {
  if (originals.length < 2) return null;
  if (method === 'full') {
    const draws = originals.flatMap((row) => (row['soft_exec'] === null ? [] : [numberOf(row, 'soft_exec')]));
    const floor = floorFull(draws);
    return floor === null ? null : { floor, excess: elasticity - floor, samples: null };
  }
  const found = lightExcess({
    baseline: together(originals.filter((row) => row['repetition'] === 0).map(lightCounts)),
    originals: together(originals.map(allCounts)),
    variants: together(variants.map(lightCounts)),
  });
  return found && { ...found, floor: Math.max(0, Math.min(1, elasticity - found.excess)) };
}
