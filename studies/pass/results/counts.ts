/** Counts of samples by task, from rows of `pass_counts` and `verdicts`. */
import { excludedList } from '../../../analysis/excluded-list.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { compareByColumns, numberOf, textOf } from '../../../domain/metrics/row-order.ts';
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

/** Whether the samples of a study are judged by several suites. */
export async function hasSeveralSuites(database: RunDatabase, own: string): Promise<boolean> {
  const suites = await records(database, `SELECT DISTINCT suite FROM verdicts WHERE ${own} AND step = 'generate'`);
  return suites.length > 1;
}

/**
 * One row per cell and suite, with all suites together first; without the single suites if there is only one.
 * @param own SQL condition
 */
export async function countRows(database: RunDatabase, own: string, bySuites: boolean): Promise<Row[]> {
  const cell = tables.pass_counts.key.join(', ');
  const excluded = `outcome IN (${excludedList})`;
  const whole = await records(
    database,
    `SELECT ${cell}, ${quoteText(allSuites)} AS suite, n_samples, n_passed, n_excluded, simulated
     FROM pass_counts WHERE ${own}`,
  );
  if (!bySuites) return whole;
  const bySuite = await records(
    database,
    `SELECT ${cell}, suite, count(*) FILTER (NOT ${excluded})::INT AS n_samples,
       count(*) FILTER (outcome = 'pass')::INT AS n_passed, count(*) FILTER (${excluded})::INT AS n_excluded,
       bool_or(simulated) AS simulated
     FROM verdicts WHERE ${own} AND step = 'generate' GROUP BY ALL`,
  );
  return [...whole, ...bySuite];
}

export interface PassGroupCollector {
  /** All cells of some tasks, one row each: only their counts are kept. */
  add(rows: readonly Row[]): void;
  /** In key order; tasks in the order of their ids. */
  groups(): PassGroup[];
}

interface Collected {
  readonly key: Row;
  /** By task and repetition. */
  readonly tasks: Map<string, Map<number, CellCount>>;
  simulated: boolean;
}

export function collectPassGroups(): PassGroupCollector {
  const groups = new Map<string, Collected>();
  const groupOf = (row: Row): Collected => {
    const key = Object.fromEntries(keyColumns.map((column) => [column, row[column] ?? null]));
    const name = JSON.stringify(key);
    const known = groups.get(name) ?? { key, tasks: new Map(), simulated: false };
    groups.set(name, known);
    return known;
  };
  return {
    add: (rows) => {
      for (const row of rows) addCell(groupOf(row), row);
    },
    groups: () => [...groups.values()].toSorted((a, b) => compareByColumns(keyColumns)(a.key, b.key)).map(groupOfCells),
  };
}

function addCell(group: Collected, row: Row): void {
  const task = textOf(row, 'task_id');
  const cells = group.tasks.get(task) ?? new Map<number, CellCount>();
  group.tasks.set(task, cells);
  cells.set(numberOf(row, 'repetition'), {
    counted: numberOf(row, 'n_samples'),
    passed: numberOf(row, 'n_passed'),
    excluded: numberOf(row, 'n_excluded'),
  });
  group.simulated ||= row['simulated'] === true;
}

function groupOfCells({ key, tasks, simulated }: Collected): PassGroup {
  const repetitions = [...new Set([...tasks.values()].flatMap((cells) => [...cells.keys()]))].toSorted((a, b) => a - b);
  return {
    ...{ key, repetitions, simulated },
    tasks: [...tasks.keys()].toSorted().map((taskId) => ({
      taskId,
      repetitions: repetitions.map((repetition) => tasks.get(taskId)?.get(repetition) ?? noSamples),
    })),
  };
}

const noSamples: CellCount = { counted: 0, passed: 0, excluded: 0 };

/** The samples of several repetitions, or tasks, taken together. */
export const together = (counts: readonly CellCount[]): CellCount => ({
  counted: counts.reduce((sum, { counted }) => sum + counted, 0),
  passed: counts.reduce((sum, { passed }) => sum + passed, 0),
  excluded: counts.reduce((sum, { excluded }) => sum + excluded, 0),
});
