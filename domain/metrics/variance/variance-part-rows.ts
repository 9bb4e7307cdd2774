/** Rows of table `variance_parts`, from judged answers. */
import type { Row } from '../../../schemas/tables.ts';
import { defaultLevel } from '../../statistics/intervals/interval.ts';
import { type TaskSums, taskSums } from '../../statistics/variance/answer-groups.ts';
import { type PartEstimate, partEstimates, partMethod } from '../../statistics/variance/part-estimates.ts';
import { type PartName, partNames, widestPart } from '../../statistics/variance/variance-parts.ts';
import { compareByColumns } from '../row-order.ts';
import { type CrossedNames, crossedTasks, namesIn } from './crossed-answers.ts';

/** Columns that name a setting of a study. */
export const settingKey = ['run', 'study', 'benchmark', 'language', 'setting', 'step'] as const;
const groupKey = [...settingKey, 'variants'];

/** A setting, and the variants of it that differ in nothing but wording. */
interface Group extends CrossedNames {
  readonly key: Row;
  /** Of the complete tasks. */
  readonly sums: TaskSums[];
  excluded: number;
  /** The most repetitions of a cell, and samples of a repetition. */
  mostRepetitions: number;
  mostSamples: number;
  simulated: boolean;
}

export interface VariancePartCollector {
  /**
   * All answers of some tasks: of a task, only sums are kept.
   * @param answers one row per program, with the columns of its cell, its step, and whether it passed
   */
  add(answers: readonly Row[]): void;
  /** One row per part, for each setting of each study. */
  rows(): Row[];
}

/**
 * @param names one row for each model and variant of each setting: `settingKey`, model, variant
 * @param groupOf the group that a row's variant belongs to, in a study whose variants differ in more than wording
 */
export function collectVarianceParts(names: readonly Row[], groupOf: (row: Row) => string): VariancePartCollector {
  const nameOf = (row: Row): string => JSON.stringify([...settingKey.map((column) => row[column]), groupOf(row)]);
  const groups = new Map([...Map.groupBy(names, nameOf)].map(([name, own]) => [name, groupOfNames(own, groupOf)]));
  return {
    add: (answers) => {
      for (const [name, own] of Map.groupBy(answers, nameOf)) addTo(groups.get(name) as Group, own);
    },
    rows: () => [...groups.values()].flatMap(rowsOfGroup).toSorted(compareByColumns(groupKey)),
  };
}

function groupOfNames(names: readonly Row[], groupOf: (row: Row) => string): Group {
  const first: Row = names[0] ?? {};
  return {
    key: {
      ...Object.fromEntries(settingKey.map((column) => [column, first[column] ?? null])),
      variants: groupOf(first),
    },
    models: namesIn(names, 'model'),
    variants: namesIn(names, 'variant'),
    ...{ sums: [], excluded: 0, mostRepetitions: 0, mostSamples: 0, simulated: false },
  };
}

function addTo(group: Group, rows: readonly Row[]): void {
  group.simulated ||= rows.some((row) => row['simulated'] === true);
  for (const task of crossedTasks(rows, group)) {
    if (task === null) group.excluded += 1;
    else {
      group.sums.push(taskSums(task));
      group.mostRepetitions = greatest(group.mostRepetitions, task.flat());
      group.mostSamples = greatest(group.mostSamples, task.flat(2));
    }
  }
}

const greatest = (least: number, lists: readonly (readonly unknown[])[]): number =>
  lists.reduce((most, { length }) => Math.max(most, length), least);

function rowsOfGroup(group: Group): Row[] {
  const { key, models, variants, sums } = group;
  const estimates = partEstimates(sums, models.length, variants.length);
  return partNames.map((part) => ({
    ...key,
    part,
    ...estimateColumns(estimates?.find((one) => one.part === part)),
    levels: levelsOf(part, group),
    n: sums.reduce((sum, { answers }) => sum + answers, 0),
    n_tasks: sums.length,
    n_excluded: group.excluded,
    n_models: models.length,
    n_variants: variants.length,
    confidence: defaultLevel,
    method: partMethod,
    reason: estimates === null ? tooFew(group) : reasonOf(part, estimates, group),
    simulated: group.simulated,
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

const tooFew = ({ sums }: Group): string =>
  `${sums.length === 0 ? 'no task has' : 'only one task has'} an answer of every model in every variant`;

function reasonOf(
  part: PartName,
  estimates: readonly PartEstimate[],
  { models, variants, sums }: Group,
): string | null {
  if (estimates.find((one) => one.part === part)?.variance != null) return null;
  if (part.includes('model') && models.length === 1) return 'one model';
  if (part.includes('variant') && variants.length === 1) return 'one variant';
  if (part !== 'run') return 'one answer per cell: contained in sample';
  return sums.some(({ repetitionFreedom }) => repetitionFreedom > 0)
    ? 'one sample per repetition: contained in sample'
    : `one repetition: contained in ${widestPart(models.length, variants.length)}`;
}

function levelsOf(part: PartName, { models, variants, sums, mostRepetitions, mostSamples }: Group): number {
  if (part === 'run') return mostRepetitions;
  if (part === 'sample') return mostSamples;
  const sizes = { model: models.length, task: sums.length, variant: variants.length };
  return part.split('_').reduce((product, factor) => product * sizes[factor as keyof typeof sizes], 1);
}
