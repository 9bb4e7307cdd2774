/** PromptSE's result: one row per run, study, benchmark, method and model; within each group the most stable first. */
import { placesOf } from '../../../domain/statistics/ranks/ranks.ts';
import { groupByColumns, keyOf, numberOf, numberOrNull, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { type Estimate, estimateOf } from '../../../analysis/estimate.ts';
import { bySharedTasks } from '../../../domain/metrics/sides/nearly-all-tasks.ts';
import { distances } from '../distances.ts';
import { currentPromptseTables, type PromptseTables } from './tables.ts';

export interface PromptseBoardRow {
  readonly run: string;
  readonly study: string;
  readonly benchmark: string;
  readonly model: string;
  readonly method: 'full' | 'light';
  readonly family: string | null;
  readonly sizeB: number | null;
  readonly passAt1: Estimate | null;
  readonly scoreOriginal: Estimate | null;
  /** Mean scores at 0.1, 0.2, 0.3. */
  readonly scores: readonly (Estimate | null)[];
  /** E(0.1), E(0.2), E(0.3). */
  readonly elasticity: readonly (Estimate | null)[];
  readonly floor: readonly (Estimate | null)[];
  /** E(d) over its floor. */
  readonly excess: readonly (Estimate | null)[];
  readonly aucE: Estimate | null;
  readonly aucENormalized: Estimate | null;
  readonly aucEFloor: Estimate | null;
  readonly aucEExcess: Estimate | null;
  /** Samples per prompt in the score; null if no task counts. */
  readonly samples: number | null;
  readonly level: number;
  readonly intervalMethod: string;
  readonly n: number;
  /** Of these, tasks with a noise floor. */
  readonly nFloor: number;
  readonly nExcluded: number;
  /** Why there is no AUC-E. */
  readonly reason: string | null;
  readonly simulated: boolean;
  /** Whether AUC-E, or its excess, lacks over 1 % of the tasks that it has of any model of the board. */
  readonly lacksTasks: { readonly area: boolean; readonly excess: boolean };
}

/** @param tables read already */
export async function promptseBoard(
  database: RunDatabase,
  tables: PromptseTables | null = null,
): Promise<PromptseBoardRow[]> {
  const { auc_e: rows, elasticity } = tables ?? (await currentPromptseTables(database));
  const lacking = { area: lackingTasks(elasticity, 'elasticity'), excess: lackingTasks(elasticity, 'excess') };
  const withTasks = rows.map((row) => {
    const lacks = (of: keyof typeof lacking): boolean => lacking[of].has(keyOf(row, ofModel));
    return { ...boardRow(row), lacksTasks: { area: lacks('area'), excess: lacks('excess') } };
  });
  const groups = Map.groupBy(withTasks, promptseBoardName);
  return [...groups.values()].flatMap((group) => group.toSorted(bySteadiness));
}

const ofBoard = ['run', 'study', 'benchmark', 'method'];
const ofModel = [...ofBoard, 'model'];

/** The models, by `ofModel`, that lack tasks with a value at all distances. @param rows of table `elasticity` */
function lackingTasks(rows: readonly Row[], column: 'elasticity' | 'excess'): ReadonlySet<string> {
  const valued = rows.filter((row) => row[column] !== null);
  const models = groupByColumns(valued, ofModel).map((own) => ({
    row: own[0] as Row,
    tasks: new Map(
      groupByColumns(own, ['task_id', 'language'])
        .filter(({ length }) => length === distances.length)
        .map((task) => [keyOf(task[0] as Row, ['task_id', 'language']), task]),
    ),
  }));
  const boards = Map.groupBy(
    models.filter(({ tasks }) => tasks.size > 0),
    ({ row }) => keyOf(row, ofBoard),
  );
  const fewer = [...boards.values()].flatMap((board) => bySharedTasks(board, ({ tasks }) => tasks).fewer);
  return new Set(fewer.map(({ row }) => keyOf(row, ofModel)));
}

/** Rows of one name are compared with one another. */
export const promptseBoardName = ({ run, study, benchmark, method }: PromptseBoardRow): string =>
  JSON.stringify([run, study, benchmark, method]);

function bySteadiness(a: PromptseBoardRow, b: PromptseBoardRow): number {
  const difference = (b.aucE?.value ?? -1) - (a.aucE?.value ?? -1);
  return difference || (a.model < b.model ? -1 : 1);
}

const suffixes = ['d01', 'd02', 'd03'] as const;

function boardRow(row: Row): Omit<PromptseBoardRow, 'lacksTasks'> {
  const text = (column: string): string | null => (row[column] === null ? null : textOf(row, column));
  return {
    run: textOf(row, 'run'),
    study: textOf(row, 'study'),
    benchmark: textOf(row, 'benchmark'),
    model: textOf(row, 'model'),
    method: row['method'] === 'full' ? 'full' : 'light',
    family: text('family'),
    sizeB: numberOrNull(row, 'size_b'),
    passAt1: estimateOf(row, 'pass_at_1'),
    scoreOriginal: estimateOf(row, 'score_original'),
    scores: suffixes.map((suffix) => estimateOf(row, `score_${suffix}`)),
    elasticity: suffixes.map((suffix) => estimateOf(row, `e_${suffix}`)),
    floor: suffixes.map((suffix) => estimateOf(row, `floor_${suffix}`)),
    excess: suffixes.map((suffix) => estimateOf(row, `excess_${suffix}`)),
    aucE: estimateOf(row, 'auc_e'),
    aucENormalized: estimateOf(row, 'auc_e_normalized'),
    aucEFloor: estimateOf(row, 'auc_e_floor'),
    aucEExcess: estimateOf(row, 'auc_e_excess'),
    samples: numberOrNull(row, 'samples'),
    level: numberOf(row, 'level'),
    intervalMethod: textOf(row, 'interval_method'),
    n: numberOf(row, 'n'),
    nFloor: numberOrNull(row, 'n_floor') ?? (row['auc_e_floor'] === null ? 0 : numberOf(row, 'n')),
    nExcluded: numberOf(row, 'n_excluded'),
    reason: text('reason'),
    simulated: row['simulated'] === true,
  };
}

/**
 * Places by AUC-E, and by its excess over the floor; 1 is the best, and ties share the mean of their places. Null
 * without a value, and where it lacks over 1 % of the tasks that any model has: these may be just the hard ones.
 */
export const boardPlaces = (
  rows: readonly PromptseBoardRow[],
): { readonly area: (number | null)[]; readonly excess: (number | null)[] } => ({
  area: placesBy(rows.map(({ aucE, lacksTasks }) => (lacksTasks.area ? null : aucE))),
  excess: placesBy(rows.map(({ aucEExcess, lacksTasks }) => (lacksTasks.excess ? null : aucEExcess))),
});

function placesBy(found: readonly (Estimate | null)[]): (number | null)[] {
  const ranked = found.flatMap((estimate, at) => (estimate === null ? [] : [{ at, value: estimate.value }]));
  const places = placesOf(ranked.map(({ value }) => value));
  return found.map((_, at) => places[ranked.findIndex((one) => one.at === at)] ?? null);
}
