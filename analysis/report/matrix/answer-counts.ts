/** What a study's answers to each task come to, by model and by condition: a phrasing, a level of detail, a sample. */
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../database.ts';
import { records } from '../../records.ts';
import { quoteText } from '../../views.ts';
import type { ExampleCell } from '../study-report.ts';
import { type GridTask, gridTasks, type TaskPlace } from './grid-tasks.ts';
import type { Answers } from './share-cell.ts';

/** How a kind of study counts. SQL over the rows of one of its tables, which have a cell's key columns. */
export interface AnswerSource {
  readonly kinds: readonly SpecStudy['kind'][];
  readonly from: string;
  /** A condition's key. */
  readonly condition: string;
  /** What conditions are grouped or ordered by, as text. Default: nothing. */
  readonly of?: string;
  /** Of a row: answers that pass, that count, and that a limit of evenkeel kept from being judged. */
  readonly passed: string;
  readonly counted: string;
  readonly excluded: string;
  /** Rows that are left out. */
  readonly where?: string;
  /** What has a grid of its own besides run, study, benchmark and language. Default: nothing. */
  readonly grid?: string;
}

/** The counts of one grid. */
export interface AnswerCounts {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly language: string;
  /** Empty, if only these four tell grids apart. */
  readonly grid: string;
  readonly models: readonly string[];
  /** In the order of their keys. */
  readonly conditions: readonly CountedCondition[];
  readonly tasks: readonly (GridTask & { readonly taskId: string })[];
  of(taskId: string, model: string, condition: string): Answers | undefined;
}

export interface CountedCondition {
  readonly key: string;
  /** Empty if nothing groups them. */
  readonly of: string;
}

export async function answerCounts(database: RunDatabase, source: AnswerSource): Promise<AnswerCounts[]> {
  const own = database.manifests.flatMap(({ runId, spec }) =>
    spec.studies.flatMap(({ name, kind }) => (source.kinds.includes(kind) ? [[runId, name]] : [])),
  );
  if (own.length === 0) return [];
  const counted = countedSql(source, own);
  const cells = Map.groupBy(await records(database, cellsSql(counted)), gridName);
  const conditions = await records(database, conditionsSql(counted));
  const taskOf = await gridTasks(database);
  return [...Map.groupBy(conditions, gridName)].map(([grid, rows]) => gridCounts(rows, cells.get(grid) ?? [], taskOf));
}

const gridColumns = ['run', 'study', 'benchmark', 'language', 'grid'] as const;
const gridName = (row: Row): string => JSON.stringify(gridColumns.map((column) => row[column]));

/** A row per task, model and condition. */
function countedSql(source: AnswerSource, own: readonly (readonly string[])[]): string {
  const { from, condition, passed, counted, excluded, where = 'true', grid = `''`, of = `''` } = source;
  const studies = own.map((names) => `(${names.map(quoteText).join(', ')})`).join(', ');
  return `
    SELECT run, study, benchmark, language, ${grid} AS grid, model, task_id, ${condition} AS condition,
      coalesce(${of}, '') AS condition_of,
      sum(${passed})::INT AS passed, sum(${counted})::INT AS counted, sum(${excluded})::INT AS excluded
    FROM ${from} WHERE (run, study) IN (${studies}) AND (${where}) GROUP BY ALL`;
}

const conditionsSql = (counted: string): string =>
  `SELECT DISTINCT ${gridColumns.join(', ')}, condition, condition_of FROM (${counted}) ORDER BY ALL`;

/** One text for all conditions of a task and a model: a million rows would take much memory. */
const cellsSql = (counted: string): string => `
  SELECT ${gridColumns.join(', ')}, model, task_id,
    string_agg(concat_ws(' ', place, passed, counted, excluded), ' ') AS counts
  FROM (SELECT *, dense_rank() OVER (PARTITION BY ${gridColumns.join(', ')} ORDER BY condition) - 1 AS place
    FROM (${counted}))
  GROUP BY ALL ORDER BY ALL`;

type TaskOf = (task: TaskPlace) => GridTask;

function gridCounts(conditionRows: readonly Row[], cells: readonly Row[], taskOf: TaskOf): AnswerCounts {
  const [run, study, benchmark, language, grid] = gridColumns.map((name) => textOf(conditionRows[0] as Row, name)) as [
    ...[string, string, string, string, string],
  ];
  const conditions = conditionRows.map((row) => ({ key: textOf(row, 'condition'), of: textOf(row, 'condition_of') }));
  const placeOf = new Map(conditions.map(({ key }, place) => [key, place]));
  const distinct = (column: string): string[] => [...new Set(cells.map((row) => textOf(row, column)))];
  const known = new Map(
    cells.map((row) => [
      cellName(textOf(row, 'task_id'), textOf(row, 'model')),
      countsOf(textOf(row, 'counts'), conditions.length),
    ]),
  );
  return {
    ...{ run, study, benchmark, language, grid, conditions, models: distinct('model') },
    tasks: distinct('task_id').map((taskId) => ({ taskId, ...taskOf({ run, benchmark, language, taskId }) })),
    of: (taskId, model, condition) => {
      const [counts, place] = [known.get(cellName(taskId, model)), placeOf.get(condition)];
      const [passed, counted, excluded] =
        place === undefined ? [] : (counts?.subarray(numbers * place, numbers * place + numbers) ?? []);
      if (passed === undefined || counted === undefined || excluded === undefined || passed === absent)
        return undefined;
      return { passed, counted, excluded };
    },
  };
}

const cellName = (taskId: string, model: string): string => `${taskId}\n${model}`;

/** By condition: passed, counted, excluded. */
const numbers = 3;
const absent = -1;

function countsOf(text: string, conditions: number): Int32Array {
  const counts = new Int32Array(numbers * conditions).fill(absent);
  const found = text.split(' ').map(Number);
  for (let at = 0; at < found.length; at += numbers + 1)
    counts.set(found.slice(at + 1, at + 1 + numbers), numbers * (found[at] as number));
  return counts;
}

/** Whether an example belongs to a grid's study and tasks. */
export const isOfGrid = (example: ExampleCell, counts: AnswerCounts): boolean =>
  example.run === counts.run &&
  example.study === counts.study &&
  example.benchmark === counts.benchmark &&
  example.language === counts.language;
