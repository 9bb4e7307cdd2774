/** Rows of table `variance_parts`, from judged answers. */
import type { Row } from '../../../schemas/tables.ts';
import { defaultLevel } from '../../statistics/intervals/interval.ts';
import { type TaskSums, taskSums } from '../../statistics/variance/answer-groups.ts';
import { type PartEstimate, partEstimates, partMethod } from '../../statistics/variance/part-estimates.ts';
import { type PartName, partNames } from '../../statistics/variance/variance-parts.ts';
import { type CrossedAnswers, crossedAnswers } from './crossed-answers.ts';
import { compareByColumns, groupByColumns } from '../row-order.ts';

const groupKey = ['run', 'study', 'benchmark', 'language', 'setting', 'step'];

/**
 * One row per part, for each setting of each study.
 * @param answers one row per program, with the columns of its cell, its step, and whether it passed
 * @param groupOf the group that an answer's variant belongs to, in a study whose variants differ in more than wording
 */
export function variancePartRows(answers: readonly Row[], groupOf: (answer: Row) => string): Row[] {
  const placed = answers.map((row) => ({ ...row, variants: groupOf(row) }));
  return groupByColumns(placed, [...groupKey, 'variants'])
    .flatMap(rowsOfGroup)
    .toSorted(compareByColumns([...groupKey, 'variants']));
}

function rowsOfGroup(rows: readonly Row[]): Row[] {
  const crossed = crossedAnswers(rows);
  const sums = crossed.tasks.map(taskSums);
  const estimates = partEstimates(sums, crossed.models.length, crossed.variants.length);
  const first: Row = rows[0] ?? {};
  const key = Object.fromEntries([...groupKey, 'variants'].map((column) => [column, first[column] ?? null]));
  const simulated = rows.some((row) => row['simulated'] === true);
  return partNames.map((part) => ({
    ...key,
    part,
    ...estimateColumns(estimates?.find((one) => one.part === part)),
    levels: levelsOf(part, crossed),
    n: sums.reduce((sum, { answers }) => sum + answers, 0),
    n_tasks: crossed.tasks.length,
    n_excluded: crossed.excluded,
    n_models: crossed.models.length,
    n_variants: crossed.variants.length,
    confidence: defaultLevel,
    method: partMethod,
    reason: estimates === null ? tooFew(crossed) : reasonOf(part, estimates, crossed, sums),
    simulated,
  }));
}

const estimateColumns = (estimate: PartEstimate | undefined): Row => ({
  variance: estimate?.variance ?? null,
  variance_lo: estimate?.interval?.lo ?? null,
  variance_hi: estimate?.interval?.hi ?? null,
  share: estimate?.share ?? null,
  share_lo: estimate?.shareInterval?.lo ?? null,
  share_hi: estimate?.shareInterval?.hi ?? null,
});

const tooFew = ({ tasks }: CrossedAnswers): string =>
  `${tasks.length === 0 ? 'no task has' : 'only one task has'} an answer of every model in every variant`;

function reasonOf(
  part: PartName,
  estimates: readonly PartEstimate[],
  { models, variants }: CrossedAnswers,
  sums: readonly TaskSums[],
): string | null {
  if (estimates.find((one) => one.part === part)?.variance != null) return null;
  if (part.includes('model') && models.length === 1) return 'one model';
  if (part.includes('variant') && variants.length === 1) return 'one variant';
  if (part !== 'run') return 'one answer per cell: contained in sample';
  return sums.some(({ repetitionFreedom }) => repetitionFreedom > 0)
    ? 'one sample per repetition: contained in sample'
    : `one repetition: contained in ${widest(models.length, variants.length)}`;
}

/** The interaction of everything that varies. */
const widest = (models: number, variants: number): PartName =>
  models > 1 ? (variants > 1 ? 'model_task_variant' : 'model_task') : variants > 1 ? 'task_variant' : 'task';

function levelsOf(part: PartName, { models, variants, tasks }: CrossedAnswers): number {
  if (part === 'run' || part === 'sample') return greatestCount(part, tasks);
  const sizes = { model: models.length, task: tasks.length, variant: variants.length };
  return part.split('_').reduce((product, factor) => product * sizes[factor as keyof typeof sizes], 1);
}

/** The most repetitions of a cell, or samples of a repetition. */
function greatestCount(part: 'run' | 'sample', tasks: CrossedAnswers['tasks']): number {
  const cells = tasks.flatMap((task) => task.flat());
  const counts = part === 'run' ? cells.map(({ length }) => length) : cells.flat().map(({ length }) => length);
  return counts.reduce((most, count) => Math.max(most, count), 0);
}
