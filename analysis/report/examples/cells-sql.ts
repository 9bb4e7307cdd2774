/** SQL that tells what became of every cell of a study, and which cells flip. */
import { excludedList } from '../../excluded-list.ts';
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

/** Groups, joins and windows over numbers of eight bytes take a fifth of the memory that texts take. */
const cellHash = `hash(${key})`;

/** What tells tasks apart: a flip is between cells of one task, of one run or of several. */
const ofAnyRun = ['study', 'benchmark', 'task_id', 'language'] as const;
const taskColumns = ['run', ...ofAnyRun] as const;

/** Of several suites a real failure, else what kept one from judging. */
const failureSql = `coalesce(min(outcome) FILTER (outcome NOT IN ('pass', ${excludedList})),
      min(outcome) FILTER (outcome <> 'pass'))`;

/** Keeps the rows of one task. */
export const ofTask = (cell: Row): string =>
  `WHERE ${taskColumns.map((column) => `${column} = ${quoteText(String(cell[column]))}`).join(' AND ')}`;

/** The key of a cell with this id. */
export const cellOfIdSql = (id: string): string =>
  `SELECT ${key} FROM samples WHERE ${cellIdSql()} = ${quoteText(id)} LIMIT 1`;

/**
 * A list of named queries; `flips`, the last, has a row per cell, in numbers: `cell` (a hash of its key), `source`
 * (of run, study and model), `result`, `passed` of `judged` answers in its first loop, `passes` (at least half of
 * them; null if there are none), a flag `by_...` for each kind of flip, `partner` (the cell that it flips with) and
 * `lot` (place in the draw).
 * @param seeds the seed of each run @param where keeps some tasks, with all of their cells
 */
export function flipsSql(seeds: ReadonlyMap<string, number>, where = ''): string {
  const among = seeds.size > 1 ? amongRuns : amongCells;
  const columns = Object.keys(among);
  const hashed = columns.flatMap((column) => [
    `any_value(hash(${among[column]?.join(', ')})) AS among_${column}`,
    `any_value(hash(${column})) AS own_${column}`,
  ]);
  return `
named AS NOT MATERIALIZED (SELECT ${key}, ${cellHash} AS cell, simulated FROM samples ${where}),
asked AS (
  SELECT cell, bool_or(simulated) AS simulated, ${hashed.join(', ')}, any_value(hash(run, study, model)) AS source,
    any_value(variant <> 'original') AS is_variant, any_value(${lotSql(seeds)}) AS lot
  FROM named GROUP BY cell
),
answered AS (
  SELECT ${cellHash} AS cell, loop, step, sample, bool_and(outcome = 'pass') AS passes,
    bool_or(outcome NOT IN ('pass', ${excludedList})) AS fails, ${failureSql} AS failure
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
  SELECT asked.*, sustained_loops, passed, judged, falls,
    CASE WHEN judged > 0 THEN 2 * passed >= judged END AS passes,
    coalesce(CASE WHEN ended_by = 'excluded' THEN 'excluded: ' || ended_outcome END, ended_outcome, ended_by, failure,
      CASE WHEN judged IS NULL THEN 'not judged' END, 'pass') AS result
  FROM asked LEFT JOIN verdict USING (cell)
  LEFT JOIN (SELECT ${cellHash} AS cell, sustained_loops, ended_by, ended_outcome FROM loops) USING (cell)
),
flips AS (
  SELECT cell, source, simulated, sustained_loops, passed, judged, passes, result, lot,
    coalesce(passes AND falls, false) AS by_loop, coalesce(passed > 0 AND passed < judged, false) AS by_answer,
    ${columns.map((column) => `${differs(column)} AS by_${column}`).join(',\n    ')},
    ${seeds.size > 1 ? '' : 'false AS by_run,'}
    coalesce(${columns.map(partner).join(', ')}) AS partner
  FROM cells
  WINDOW ${columns.map((column) => `by_each_${column} AS (PARTITION BY among_${column})`).join(', ')}
)`;
}

/** Rows of `flips` with the key and `id` of their cell, and the id of their partner. @param from some of `flips` */
export const namedSql = (from: string): string => `
  WITH wanted AS (
    SELECT ${key}, cell, ${cellIdSql()} AS id FROM named
    WHERE cell IN (SELECT cell FROM ${from} UNION SELECT partner FROM ${from}) GROUP BY ALL
  )
  SELECT wanted.*, found.* EXCLUDE (cell, partner), other.id AS partner
  FROM ${from} found JOIN wanted USING (cell) LEFT JOIN (SELECT cell AS partner, id FROM wanted) other USING (partner)`;

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
      .map((end) => `${end}(own_${column}) FILTER (${passes}) OVER by_each_${column} <> own_${column}`)
      .join(' OR ');
  return `coalesce(
    CASE WHEN passes THEN ${other('NOT passes')} ELSE ${other('passes')} END AND passes IS NOT NULL, false)`;
}

/** For a cell that fails, one that passes and differs in the column only; the unchanged prompt first, then by lot. */
const partner = (column: string): string => `
    CASE WHEN NOT passes THEN arg_min(cell, (is_variant::UBIGINT << 63) | (lot >> 1)) FILTER (passes)
      OVER by_each_${column} END`;

/** The first half of the MD5 of seed and key. */
const lotSql = (seeds: ReadonlyMap<string, number>): string =>
  `('0x' || left(md5(concat_ws('|', ${seedSql(seeds)}, ${key})), 16))::UBIGINT`;

const seedSql = (seeds: ReadonlyMap<string, number>): string =>
  `CASE run ${[...seeds].map(([run, seed]) => `WHEN ${quoteText(run)} THEN ${seed}`).join(' ')} END`;

/** Whether a cell of `flips` flips in any way. */
export const anyFlip = `(${flipKinds.map((kind) => `by_${kind}`).join(' OR ')})`;

export const flipsOf = (cell: Row): FlipKind[] => flipKinds.filter((kind) => cell[`by_${kind}`] === true);
