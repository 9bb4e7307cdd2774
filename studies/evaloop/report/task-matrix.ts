/** How many loops each model's code for each task lasted: the values behind the board's averages. */
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
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

export interface MatrixTask {
  readonly taskId: string;
  /** The start of the benchmark's prompt; null if the run does not hold it. */
  readonly prompt: string | null;
  /** Whether the benchmark's own reference passes every suite; null if unknown. */
  readonly referencePasses: boolean | null;
  /** Mean of `cells`; null if none counts. */
  readonly mean: number | null;
  /**
   * Sustained loops per model, 0 to M, as a mean over repetitions; `excluded` because of evenkeel's limits;
   * null while not finished.
   */
  readonly cells: readonly MatrixCell[];
}

export type MatrixCell = number | 'excluded' | null;

/** One matrix per board, in the boards' order. */
export async function taskMatrices(
  database: RunDatabase,
  leaderboard: readonly LeaderboardRow[],
): Promise<TaskMatrix[]> {
  const rows = await records(database, cellsSql);
  const ofBoard = Map.groupBy(rows, boardOf);
  const tasks = new Map((await records(database, tasksSql)).map((row) => [nameOf(row, taskColumns), row]));
  return [...Map.groupBy(leaderboard, boardName)].map(([name, board]) =>
    matrixOf(board, ofBoard.get(name) ?? [], tasks),
  );
}

function matrixOf(board: readonly LeaderboardRow[], rows: readonly Row[], tasks: ReadonlyMap<string, Row>): TaskMatrix {
  const [{ run, study, benchmark, language, setting, maxLoops }] = board as readonly [LeaderboardRow];
  const models = board.map(({ model }) => model);
  const byTask = [...Map.groupBy(rows, (row) => textOf(row, 'task_id')).values()];
  const matrixTasks = byTask.map((own) => matrixTask(own, models, tasks.get(nameOf(own[0] as Row, taskColumns))));
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

/** Tasks without a counted cell come last; ties are ordered by task number. */
function hardestFirst(a: MatrixTask, b: MatrixTask): number {
  return (a.mean ?? Infinity) - (b.mean ?? Infinity) || naturalOrder.compare(a.taskId, b.taskId);
}

const naturalOrder = new Intl.Collator('en', { numeric: true });

const nameOf = (row: Row, columns: readonly string[]): string => JSON.stringify(columns.map((column) => row[column]));
/** Equal to the `boardName` of the same board. */
const boardOf = (row: Row): string => nameOf(row, ['run', 'study', 'benchmark', 'language', 'setting']);
const taskColumns = ['run', 'benchmark', 'language', 'task_id'];

const cellsSql = `
  SELECT run, study, benchmark, language, setting, task_id, model,
    avg(sustained_loops) FILTER (ended_by <> 'excluded') AS sustained
  FROM loops
  WHERE variant = 'original'
  GROUP BY ALL`;

/** The start of a prompt is enough to recognise a task. */
const tasksSql = `
  SELECT run, benchmark, language, task_id, left(prompt, 2000) AS prompt, reference_passes
  FROM (SELECT run, benchmark, language, task_id, bool_and(reference_outcome = 'pass') AS reference_passes
    FROM suites GROUP BY ALL)
  FULL JOIN tasks USING (run, benchmark, language, task_id)`;
