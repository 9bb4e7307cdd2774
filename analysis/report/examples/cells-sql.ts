/** SQL that tells what became of every cell of a study, and which cells flip. */
import { excludedOutcomes } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import { cellKeyNames } from '../../../schemas/tables/keys.ts';
import { cellIdSql } from '../../explain/cell-id-sql.ts';
import { quoteText } from '../../views.ts';

/**
 * What a flip is between: an answer passes for one and fails for another model, prompt variant, setting or repetition
 * of the same task, or in another of several runs; `loop`: it passes in the first loop and fails in a later one;
 * `answer`: of several answers to one prompt some pass and some fail.
 */
export const flipKinds = ['run', 'variant', 'model', 'setting', 'repetition', 'loop', 'answer'] as const;
export type FlipKind = (typeof flipKinds)[number];

const key = cellKeyNames.join(', ');
const excluded = [...excludedOutcomes].map(quoteText).join(', ');

/** Groups and joins by eight bytes take a third of the memory that nine texts take. */
const cellHash = `hash(${key})`;

/** What tells tasks apart: a flip is between cells of one task, of one run or of several. */
const ofAnyRun = ['study', 'benchmark', 'task_id', 'language'] as const;
const taskColumns = ['run', ...ofAnyRun] as const;

/** Keeps the rows of one task. */
export const ofTask = (cell: Row): string =>
  `WHERE ${taskColumns.map((column) => `${column} = ${quoteText(String(cell[column]))}`).join(' AND ')}`;

/** The key of a cell with this id. */
export const cellOfIdSql = (id: string): string =>
  `SELECT ${key} FROM samples WHERE ${cellIdSql()} = ${quoteText(id)} LIMIT 1`;

/**
 * A list of named queries; `flipped`, the last, has a row per cell: its key, `id`, `result`, `passed` of `judged`
 * answers in its first loop, `passes` (at least half of them; null if there are none), a flag `by_...` for each kind of
 * flip, `partner` (id of the cell that it flips with) and `lot` (place in the draw).
 * @param seeds the seed of each run @param where keeps some tasks, with all of their cells
 */
export function cellsSql(seeds: ReadonlyMap<string, number>, where = ''): string {
  const among = seeds.size > 1 ? amongRuns : amongCells;
  const columns = Object.keys(among);
  return `
asked AS (SELECT ${key}, ${cellHash} AS cell, bool_or(simulated) AS simulated FROM samples ${where} GROUP BY ALL),
answered AS (
  SELECT ${cellHash} AS cell, loop, step, sample, bool_and(outcome = 'pass') AS passes,
    bool_or(outcome NOT IN ('pass', ${excluded})) AS fails, min(outcome) FILTER (outcome <> 'pass') AS failure
  FROM verdicts ${where} GROUP BY ALL
),
rounds AS (
  SELECT cell, loop, min(failure) AS failure, count(*) FILTER (passes) AS passed,
    count(*) FILTER (passes OR fails) AS judged
  FROM answered GROUP BY ALL
),
verdict AS (
  SELECT cell, min(failure) AS failure, arg_min(passed, loop) AS passed, arg_min(judged, loop) AS judged,
    bool_or(2 * passed < judged) AS falls
  FROM rounds GROUP BY ALL
),
cells AS (
  SELECT asked.* EXCLUDE (cell), sustained_loops, passed, judged, falls, ${cellIdSql()} AS id,
    CASE WHEN judged > 0 THEN 2 * passed >= judged END AS passes,
    coalesce(CASE WHEN ended_by = 'excluded' THEN 'excluded: ' || ended_outcome END, ended_outcome, ended_by, failure,
      CASE WHEN judged IS NULL THEN 'not judged' END, 'pass') AS result,
    md5(concat_ws('|', ${seedSql(seeds)}, ${key})) AS lot
  FROM asked LEFT JOIN verdict USING (cell)
  LEFT JOIN (SELECT ${cellHash} AS cell, sustained_loops, ended_by, ended_outcome FROM loops) USING (cell)
),
flipped AS (
  SELECT *, coalesce(passes AND falls, false) AS by_loop,
    coalesce(passed > 0 AND passed < judged, false) AS by_answer,
    ${columns.map((column) => `${differs(column)} AS by_${column}`).join(',\n    ')},
    ${seeds.size > 1 ? '' : 'false AS by_run,'}
    coalesce(${columns.map(partner).join(', ')}) AS partner
  FROM cells
  WINDOW ${columns.map((column) => `by_each_${column} AS (PARTITION BY ${among[column]?.join(', ')})`).join(', ')}
)`;
}

/**
 * Flips by a column are between cells that agree in these, which partners are sought by in this order. Some studies
 * give each variant a setting of its own.
 */
const amongCells: Readonly<Record<string, readonly string[]>> = {
  variant: [...taskColumns, 'model', 'repetition'],
  model: [...taskColumns, 'variant', 'setting', 'repetition'],
  setting: [...taskColumns, 'model', 'variant', 'repetition'],
  repetition: [...taskColumns, 'model', 'variant', 'setting'],
};
const amongRuns: typeof amongCells = {
  run: [...ofAnyRun, 'model', 'variant', 'setting', 'repetition'],
  ...amongCells,
};

/** Whether a cell with another value of the column did the opposite. */
function differs(column: string): string {
  const other = (passes: string): string =>
    ['min', 'max']
      .map((end) => `${end}(${column}) FILTER (${passes}) OVER by_each_${column} <> ${column}`)
      .join(' OR ');
  return `coalesce(
    CASE WHEN passes THEN ${other('NOT passes')} ELSE ${other('passes')} END AND passes IS NOT NULL, false)`;
}

/** For a cell that fails, one that passes and differs in the column only; the unchanged prompt first, then by lot. */
const partner = (column: string): string =>
  `CASE WHEN NOT passes THEN arg_min(id, (variant <> 'original', lot)) FILTER (passes) OVER by_each_${column} END`;

const seedSql = (seeds: ReadonlyMap<string, number>): string =>
  `CASE run ${[...seeds].map(([run, seed]) => `WHEN ${quoteText(run)} THEN ${seed}`).join(' ')} END`;

/** Whether a cell of `flipped` flips in any way. */
export const flipsSql = `(${flipKinds.map((kind) => `by_${kind}`).join(' OR ')})`;

export const flipsOf = (cell: Row): FlipKind[] => flipKinds.filter((kind) => cell[`by_${kind}`] === true);
