/** Judged answers as a crossed design: the tasks that every model answered in every wording. */
import type { Row } from '../../../schemas/tables.ts';
import type { CellAnswers, TaskAnswers } from '../../statistics/variance/answer-groups.ts';
import { numberOf, textOf } from '../row-order.ts';

/** Ids of the models and names of the variants, in the order of the cells. */
export interface CrossedNames {
  readonly models: readonly string[];
  readonly variants: readonly string[];
}

/**
 * The tasks of some answers; null for one that lacks an answer that counts in one of its cells.
 * @param rows one per answer: model, task_id, variant, repetition, passed (null: it does not count)
 */
export const crossedTasks = (rows: readonly Row[], names: CrossedNames): (TaskAnswers | null)[] =>
  [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()].map((own) => taskOf(own, names));

export interface CrossedAnswers extends CrossedNames {
  /** The complete tasks. */
  readonly tasks: readonly TaskAnswers[];
  /** Tasks left out because a cell of theirs has no answer that counts. */
  readonly excluded: number;
}

/** The answers of all models and variants that have any. */
export function crossedAnswers(rows: readonly Row[]): CrossedAnswers {
  const names = { models: namesIn(rows, 'model'), variants: namesIn(rows, 'variant') };
  const all = crossedTasks(rows, names);
  const tasks = all.filter((task) => task !== null);
  return { ...names, tasks, excluded: all.length - tasks.length };
}

/** In the order of their names. */
export const namesIn = (rows: readonly Row[], column: string): string[] =>
  [...new Set(rows.map((row) => textOf(row, column)))].toSorted();

/** Null if a cell is empty. */
function taskOf(rows: readonly Row[], { models, variants }: CrossedNames): TaskAnswers | null {
  const cells = Map.groupBy(
    rows.filter((row) => row['passed'] !== null),
    (row) => cellName(textOf(row, 'model'), textOf(row, 'variant')),
  );
  if (cells.size < models.length * variants.length) return null;
  return models.map((model) => variants.map((variant) => cellOf(cells.get(cellName(model, variant)) ?? [])));
}

const cellName = (model: string, variant: string): string => JSON.stringify([model, variant]);

const cellOf = (rows: readonly Row[]): CellAnswers =>
  [...Map.groupBy(rows, (row) => numberOf(row, 'repetition')).values()].map((repetition) =>
    repetition.map((row) => (row['passed'] === true ? 1 : 0)),
  );
