/** Counts of samples by task, from rows of `pass_counts` and `verdicts`. */
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { compareByColumns, groupByColumns, numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import { excludedOutcomes } from '../../../schemas/states.ts';
import { type Row, tables } from '../../../schemas/tables.ts';
import type { SampleCount } from './agreement.ts';

/** In column `suite`: a sample passes if it passes every suite. */
export const allSuites = 'all suites';

/** The key columns of the derived tables, without that of a task. */
const keyColumns = ['run', 'study', 'model', 'benchmark', 'language', 'setting', 'suite'] as const;

/** The samples of one model under one setting, judged by one suite or by all. */
export interface PassGroup {
  /** Values of `keyColumns`. */
  readonly key: Row;
  readonly tasks: readonly TaskCounts[];
  /** In ascending order. */
  readonly repetitions: readonly number[];
  readonly simulated: boolean;
}

export interface TaskCounts {
  readonly taskId: string;
  /** In the order of the group's repetitions; a repetition that is not sealed has no samples. */
  readonly repetitions: readonly CellCount[];
}

export interface CellCount extends SampleCount {
  readonly excluded: number;
}

/** One row per cell and suite, with all suites together first; if there is only one suite, without it. */
export async function countRows(database: RunDatabase, run: string, study: string): Promise<Row[]> {
  const own = `run = ${quoteText(run)} AND study = ${quoteText(study)}`;
  const cell = tables.pass_counts.key.join(', ');
  const excluded = `outcome IN (${[...excludedOutcomes].map(quoteText).join(', ')})`;
  const whole = await records(
    database,
    `SELECT ${cell}, ${quoteText(allSuites)} AS suite, n_samples, n_passed, n_excluded, simulated
     FROM pass_counts WHERE ${own}`,
  );
  const bySuite = await records(
    database,
    `SELECT ${cell}, suite, count(*) FILTER (NOT ${excluded})::INT AS n_samples,
       count(*) FILTER (outcome = 'pass')::INT AS n_passed, count(*) FILTER (${excluded})::INT AS n_excluded,
       bool_or(simulated) AS simulated
     FROM verdicts WHERE ${own} AND step = 'generate' GROUP BY ALL`,
  );
  const suites = new Set(bySuite.map((row) => textOf(row, 'suite')));
  return suites.size > 1 ? [...whole, ...bySuite] : whole;
}

/** In key order; tasks in the order of their ids. */
export function passGroups(rows: readonly Row[]): PassGroup[] {
  const sorted = rows.toSorted(compareByColumns([...keyColumns, 'task_id', 'repetition']));
  return groupByColumns(sorted, keyColumns).map((group) => {
    const first = group[0] as Row;
    const repetitions = [...new Set(group.map((row) => numberOf(row, 'repetition')))].toSorted((a, b) => a - b);
    return {
      key: Object.fromEntries(keyColumns.map((column) => [column, first[column] ?? null])),
      tasks: groupByColumns(group, ['task_id']).map((own) => taskCounts(own, repetitions)),
      repetitions,
      simulated: group.some((row) => row['simulated'] === true),
    };
  });
}

function taskCounts(rows: readonly Row[], repetitions: readonly number[]): TaskCounts {
  const byRepetition = new Map(rows.map((row) => [numberOf(row, 'repetition'), row]));
  return {
    taskId: textOf(rows[0] as Row, 'task_id'),
    repetitions: repetitions.map((repetition) => {
      const row = byRepetition.get(repetition);
      const number = (column: string): number => (row === undefined ? 0 : numberOf(row, column));
      return { counted: number('n_samples'), passed: number('n_passed'), excluded: number('n_excluded') };
    }),
  };
}

/** The samples of several repetitions, or tasks, taken together. */
export const together = (counts: readonly CellCount[]): CellCount => ({
  counted: counts.reduce((sum, { counted }) => sum + counted, 0),
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  excluded: counts.reduce((sum, { excluded }) => sum + excluded, 0),
});
