/** How many loops each model's code for each task lasted: the values behind the board's averages. */
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import { type GridTask, gridTasks } from '../../../analysis/report/matrix/grid-tasks.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { boardName, type LeaderboardRow } from '../results/leaderboard.ts';
import { records } from '../../../analysis/records.ts';

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

export interface MatrixTask extends GridTask {
  readonly taskId: string;
  /** Mean of `cells`; null if none counts. */
  readonly mean: number | null;
  /**
   * Sustained loops per model, 0 to M, as a mean over repetitions; `excluded` because of evenkeel's limits;
   * null while not finished.
   */
  readonly cells: readonly MatrixCell[];
}

type TaskOf = Awaited<ReturnType<typeof gridTasks>>;

export type MatrixCell = number | 'excluded' | null;

/** One matrix per board, in the boards' order. */
export async function taskMatrices(
  database: RunDatabase,
  leaderboard: readonly LeaderboardRow[],
): Promise<TaskMatrix[]> {
  const rows = await records(database, cellsSql);
  const ofBoard = Map.groupBy(rows, boardOf);
  const taskOf = await gridTasks(database);
  return [...Map.groupBy(leaderboard, boardName)].map(([name, board]) =>
    matrixOf(board, ofBoard.get(name) ?? [], taskOf),
  );
}

function matrixOf(board: readonly LeaderboardRow[], rows: readonly Row[], taskOf: TaskOf): TaskMatrix {
  const [{ run, study, benchmark, language, setting, maxLoops }] = board as readonly [LeaderboardRow];
  const models = board.map(({ model }) => model);
  const byTask = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()];
  const matrixTasks = byTask.map((own) => {
    const taskId = textOf(own[0] as Row, 'task_id');
    return matrixTask(taskId, own, models, taskOf({ run, benchmark, language, taskId }));
  });
  const simulatedModels = board.flatMap(({ model, simulated }) => (simulated ? [model] : []));
  return {
    run,
    study,
    benchmark,
    language,
    setting,
    maxLoops,
    models,
    simulatedModels,
    tasks: matrixTasks.toSorted(hardestFirst),
  };
}

function matrixTask(taskId: string, rows: readonly Row[], models: readonly string[], task: GridTask): MatrixTask {
  const cellOf = new Map(rows.map((row): [string, MatrixCell] => [textOf(row, 'model'), cellValue(row)]));
  const cells = models.map((model) => cellOf.get(model) ?? null);
  const counted = cells.filter((cell) => typeof cell === 'number');
  return {
    taskId,
    ...task,
    mean: counted.length === 0 ? null : counted.reduce((sum, cell) => sum + cell, 0) / counted.length,
    cells,
  };
}

const cellValue = (row: Row): MatrixCell => (typeof row['sustained'] === 'number' ? row['sustained'] : 'excluded');

/** Tasks without a counted cell come last; ties are ordered by task number. */
function hardestFirst(a: MatrixTask, b: MatrixTask): number {
  return (a.mean ?? Infinity) - (b.mean ?? Infinity) || naturalOrder.compare(a.taskId, b.taskId);
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

const nameOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
/** Equal to the `boardName` of the same board. */
const boardOf = (row: Row): string => nameOf(row, ['run', 'study', 'benchmark', 'language', 'setting']);

const cellsSql = `
  SELECT run, study, benchmark, language, setting, task_id, model,
    avg(sustained_loops) FILTER (ended_by <> 'excluded') AS sustained
  FROM loops
  WHERE variant = 'original'
  GROUP BY ALL`;
