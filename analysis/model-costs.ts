/** Table `model_costs` over the sealed pages: stored when a run ends, computed for each report while it is active. */
import { answerCallsSql, ownCallsSql } from './answers/answer-calls.ts';
import { isWithoutReference } from './answers/without-reference.ts';
import { excludedList } from './excluded-list.ts';
import { modelCostRows, withSolvedCosts } from '../domain/metrics/cost-rows.ts';
import { earlierCostMethods } from '../domain/metrics/cost-per-solved.ts';
import { groupByColumns } from '../domain/metrics/row-order.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { rangesOf, storedRows } from './slices/row-slices.ts';
import { groupedAtATime, taskSlices } from './slices/task-slices.ts';
import { quoteText } from './views.ts';

/** One row per run, study and model that was asked. Some at a time where there are many calls. */
export async function modelCosts(database: RunDatabase, together = togetherAtMost): Promise<Row[]> {
  const rows: Row[] = [];
  for (const lane of await lanesOf(database, 'true', together)) {
    const totals = await records(database, totalsSql(lane));
    rows.push(...modelCostRows(totals, await laneTaskCosts(database, studyModelTask, lane)));
  }
  return rows;
}

/** Calls and verdicts that are read together: each group of models opens the files of its tables again. */
const togetherAtMost = 100_000;

/** SQL conditions for models of a study that have about as many calls and verdicts. @param where of all of them */
async function lanesOf(database: RunDatabase, where: string, together = togetherAtMost): Promise<string[]> {
  if (storedRows(database, 'calls') + storedRows(database, 'verdicts') <= together) return [where];
  const counts = ['calls', 'verdicts'].map(
    (table) => `SELECT run, study, model, count(*) AS n FROM ${table} WHERE ${where} GROUP BY ALL`,
  );
  const counted = `SELECT run, study, model, sum(n)::INT AS n FROM (${counts.join(' UNION ALL ')})`;
  const rows = await records(database, `${counted} GROUP BY ALL ORDER BY ALL`);
  const studies = groupByColumns(rows, ['run', 'study']);
  return studies.flatMap((models) => {
    const { run, study } = models[0] as Row;
    const own = `run = ${quoteText(String(run))} AND study = ${quoteText(String(study))}`;
    return rangesOf('model', models, together).map((range) => `${where} AND ${own} AND ${range}`);
  });
}

async function laneTaskCosts(database: RunDatabase, columns: readonly string[], lane: string): Promise<Row[]> {
  const rows: Row[] = [];
  const isShared = await sharesRequests(database, lane);
  const areBorrowed = database.manifests.some(({ spec: { studies } }) => studies.length > 1);
  for (const tasks of await taskSlices(database, lane, groupedAtATime))
    for (const row of await records(
      database,
      taskSql(columns, `${lane} AND ${tasks}`, tasks, { isShared, areBorrowed }),
    ))
      rows.push(row);
  return rows;
}

/** As stored, if all runs are complete and have the table; older programs stored none, or other costs. */
export async function currentModelCosts(database: RunDatabase): Promise<Row[]> {
  const areStored = database.manifests.every(
    ({ state, parts }) => state === 'complete' && parts.some(({ table }) => table === 'model_costs'),
  );
  if (!areStored) return modelCosts(database);
  const stored = await records(database, `FROM model_costs ORDER BY ${tables.model_costs.key.join(', ')}`);
  return areEarlierCosts(stored) ? modelCosts(database) : stored;
}

/** Whether a program stored them that counted other tasks or other calls. Without a paid call they are alike. */
const areEarlierCosts = (rows: readonly Row[]): boolean =>
  rows.some((row) => earlierCostMethods.includes(String(row['method']))) && rows.some((row) => Number(row['usd']) > 0);

/** Adds to rows of `asl` what a solved task cost, over the same cells: those of the unchanged prompt. */
export async function aslWithCosts(database: RunDatabase, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const { key } = tables.asl;
  const columns = [...new Set([...key, ...studyModelTask])];
  return withSolvedCosts(rows, await taskCostsBy(database, columns, "variant = 'original'"), key);
}

/**
 * What each task cost and how long its calls took, with the share of its first programs that pass (null if none
 * counts), and who paid. @param where SQL condition for the rows of studies and models
 */
export const taskCosts = (database: RunDatabase, where: string): Promise<Row[]> =>
  taskCostsBy(database, studyModelTask, `(${where})`);

async function taskCostsBy(database: RunDatabase, columns: readonly string[], where: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const lane of await lanesOf(database, where))
    for (const row of await laneTaskCosts(database, columns, lane)) rows.push(row);
  return rows;
}

const studyModelTask = ['run', 'study', 'model', 'benchmark', 'task_id', 'language'];
const cell = tables.samples.key.slice(0, 9).join(', ');

/**
 * Sums of money in call order, so that their last digits do not depend on the number of threads. Token sums are
 * doubles, so that they cannot overflow, and of whole numbers: exact in any order. @param lane SQL condition
 */
const totalsSql = (lane: string): string => `
  WITH asked AS (
    SELECT run, study, model, count(*) FILTER (origin IS NULL) AS calls,
      count(*) FILTER (status = 'answered' AND origin IS NULL) AS answered,
      ${['input', 'cached', 'cache_write', 'input_audio', 'output', 'reasoning', 'output_audio']
        .map((name) => `coalesce(sum(${name}_tokens::DOUBLE) FILTER (origin IS NULL), 0) AS ${name}_tokens`)
        .join(', ')},
      coalesce(sum(usd ORDER BY call), 0) AS usd,
      coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'estimated'), 0) AS estimated_usd,
      count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced_calls,
      count(*) FILTER (cost_basis <> 'free') AS paid_calls,
      count(*) FILTER (usage_reported IS NOT NULL) AS disbelieved_calls
    FROM calls WHERE ${lane} GROUP BY ALL),
  answers AS (
    SELECT run, study, model, count(*) AS answers, bool_or(simulated) FILTER (answering_model = model) AS simulated FROM
      samples WHERE ${lane} GROUP BY ALL)
  SELECT asked.*, coalesce(answers.answers, 0) AS answers, coalesce(models.simulated, answers.simulated,
    false) AS simulated
  FROM asked LEFT JOIN answers USING (run, study, model) LEFT JOIN models USING (run, model) ORDER BY run, study,
    model`;

/**
 * What the calls for each task cost, whichever study of the run asked them, and the share of the first programs of its
 * cells that pass: of those judged (a program that fails a suite is; null if none was), and with the others failed, and
 * passed (which nobody can where the reference gives no output); whether other runs (`is_reused`) or models
 * (`is_shared`) paid for answers.
 * @param where SQL condition for whole cells @param tasks the part of it that is about tasks
 * @param may whether other models, and other studies, may have asked for an answer
 */
const taskSql = (
  columns: readonly string[],
  where: string,
  tasks: string,
  { isShared, areBorrowed }: { readonly isShared: boolean; readonly areBorrowed: boolean },
): string => `
  WITH asked AS (${areBorrowed ? answerCallsSql(columns, where, tasks) : ownCallsSql(columns, where)}),
  paid AS (
    SELECT ${columns.join(', ')}, coalesce(sum(usd ORDER BY call), 0) AS usd,
      coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'estimated'), 0) AS estimated_usd,
      count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced_calls,
      count(*) FILTER (cost_basis <> 'free') AS paid_calls,
      coalesce(sum(latency_ms / 1000 ORDER BY call), 0) AS seconds,
      count(*) FILTER (latency_ms IS NULL AND status = 'answered') AS untimed_calls,
      count(latency_ms) AS timed_calls, bool_or(origin IS NOT NULL) AS is_reused
    FROM asked GROUP BY ALL),
  judged AS (
    SELECT ${cell}, loop, step, sample, bool_and(outcome = 'pass') AS passed,
      bool_and(outcome IN ('pass', ${excludedList})) AND NOT bool_and(outcome = 'pass') AS excluded,
      bool_or(${isWithoutReference}) AS unsolvable
    FROM verdicts WHERE ${where} GROUP BY ALL),
  firsts AS (SELECT * FROM judged QUALIFY loop = min(loop) OVER (PARTITION BY ${cell})),
  solved AS (
    SELECT ${columns.join(', ')}, avg(passed::INT) FILTER (NOT excluded) AS solved,
      avg((passed AND NOT excluded)::INT) AS least_solved,
      avg((passed OR (excluded AND NOT unsolvable))::INT) AS most_solved
    FROM firsts GROUP BY ALL),
  shared AS (${isShared ? sharedSql(columns, where, tasks) : `SELECT ${columns.join(', ')} FROM paid LIMIT 0`}),
  found AS (FROM paid FULL JOIN solved USING (${columns.join(', ')}))
  SELECT ${columns.map((name) => `found.${name}`).join(', ')}, solved, coalesce(least_solved, 0) AS least_solved,
    coalesce(most_solved, 1) AS most_solved, coalesce(is_reused, false) AS is_reused,
    shared.run IS NOT NULL AS is_shared, ${sums.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ')}
  FROM found LEFT JOIN shared USING (${columns.join(', ')})
  ORDER BY ${columns.map((_, index) => index + 1).join(', ')}`;

const sums = ['usd', 'estimated_usd', 'unpriced_calls', 'paid_calls', 'seconds', 'untimed_calls', 'timed_calls'];

/** The tasks of which an answer is of a call that another model of the run paid for. */
const sharedSql = (columns: readonly string[], where: string, tasks: string): string => `
    SELECT DISTINCT ${columns.map((name) => `asking.${name}`).join(', ')}
    FROM (FROM samples WHERE ${where}) asking JOIN (
      SELECT run, call_key, model FROM calls WHERE ${tasks} AND status = 'answered' AND origin IS NULL) paying
      ON asking.run = paying.run AND asking.call_key = paying.call_key AND asking.model <> paying.model`;

/**
 * The first to ask pays where models have equal requests: with one name at an endpoint, or to the same judge.
 * @param lane SQL condition for models of a study
 */
async function sharesRequests(database: RunDatabase, lane: string): Promise<boolean> {
  const named = database.manifests.map(({ spec: { models } }) => models.map(({ id, model }) => model ?? id));
  if (named.some((names) => new Set(names).size < names.length)) return true;
  const byOthers = `SELECT 1 AS one FROM samples WHERE (${lane}) AND answering_model <> model LIMIT 1`;
  return (await records(database, byOthers)).length > 0;
}
