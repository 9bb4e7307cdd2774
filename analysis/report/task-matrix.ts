/** Which task each model solved, and for how long: what the averages of the board are made of. */
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { boardName, type LeaderboardRow } from '../leaderboard.ts';
import { records } from '../records.ts';

export interface TaskMatrix {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly language: string;
  readonly setting: string;
  readonly maxLoops: number;
  /** In the order of the board. */
  readonly models: readonly string[];
  readonly simulatedModels: readonly string[];
  /** Hardest first. */
  readonly tasks: readonly MatrixTask[];
}

export interface MatrixTask {
  readonly taskId: string;
  /** The problem as the benchmark words it; null where the run does not hold it. */
  readonly prompt: string | null;
  /** Whether the benchmark's own reference passes every suite; null where it is not known. */
  readonly referencePasses: boolean | null;
  /** Mean of `cells`; null where none counts. */
  readonly mean: number | null;
  /** Per model the sustained loops, 0 to M, as a mean over repetitions; `excluded` by a limit of ours; null while not sealed. */
  readonly cells: readonly MatrixCell[];
}

export type MatrixCell = number | 'excluded' | null;

/** One matrix per board, in the boards' order. */
export async function taskMatrices(database: RunDatabase, leaderboard: readonly LeaderboardRow[]): Promise<TaskMatrix[]> {
  const rows = await records(database, cellsSql);
  const ofBoard = Map.groupBy(rows, boardOf);
  const tasks = new Map((await records(database, tasksSql)).map((row) => [nameOf(row, taskColumns), row]));
  return [...Map.groupBy(leaderboard, boardName)].map(([name, board]) => matrixOf(board, ofBoard.get(name) ?? [], tasks));
}

function matrixOf(board: readonly LeaderboardRow[], rows: readonly Row[], tasks: ReadonlyMap<string, Row>): TaskMatrix {
  const [{ run, study, benchmark, language, setting, maxLoops }] = board as readonly [LeaderboardRow];
  const models = board.map(({ model }) => model);
  const byTask = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()];
  const matrixTasks = byTask.map((own) => matrixTask(own, models, tasks.get(nameOf(own[0] as Row, taskColumns))));
  const simulatedModels = board.flatMap(({ model, simulated }) => (simulated ? [model] : []));
  return { run, study, benchmark, language, setting, maxLoops, models, simulatedModels, tasks: matrixTasks.toSorted(hardestFirst) };
}

function matrixTask(rows: readonly Row[], models: readonly string[], task: Row | undefined): MatrixTask {
  const cellOf = new Map(rows.map((row): [string, MatrixCell] => [textOf(row, 'model'), cellValue(row)]));
  const cells = models.map((model) => cellOf.get(model) ?? null);
  const counted = cells.filter((cell) => typeof cell === 'number');
  const passes = task?.['reference_passes'];
  return {
    taskId: textOf(rows[0] as Row, 'task_id'),
    prompt: typeof task?.['prompt'] === 'string' ? task['prompt'] : null,
    referencePasses: typeof passes === 'boolean' ? passes : null,
    mean: counted.length === 0 ? null : counted.reduce((sum, cell) => sum + cell, 0) / counted.length,
    cells,
  };
}

const cellValue = (row: Row): MatrixCell => (typeof row['sustained'] === 'number' ? row['sustained'] : 'excluded');

/** Tasks without any counted cell come last; equal ones in the order of their numbers. */
function hardestFirst(a: MatrixTask, b: MatrixTask): number {
  return (a.mean ?? Infinity) - (b.mean ?? Infinity) || naturalOrder.compare(a.taskId, b.taskId);
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

const nameOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
/** The same name as `boardName` gives. */
const boardOf = (row: Row): string => nameOf(row, ['run', 'study', 'benchmark', 'language', 'setting']);
const taskColumns = ['run', 'benchmark', 'language', 'task_id'];

const cellsSql = `
  SELECT run, study, benchmark, language, setting, task_id, model,
    avg(sustained_loops) FILTER (ended_by <> 'excluded') AS sustained
  FROM loops
  WHERE variant = 'original'
  GROUP BY ALL`;

/** The start of a prompt is enough to know a task by. */
const tasksSql = `
  SELECT run, benchmark, language, task_id, left(prompt, 2000) AS prompt, reference_passes
  FROM (SELECT run, benchmark, language, task_id, bool_and(reference_outcome = 'pass') AS reference_passes FROM suites GROUP BY ALL)
  FULL JOIN tasks USING (run, benchmark, language, task_id)`;
