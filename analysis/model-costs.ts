/** Table `model_costs` over the sealed pages: stored when a run ends, computed for each report while it is active. */
import { modelCostRows, withSolvedCosts } from '../domain/metrics/cost-rows.ts';
import { excludedOutcomes } from '../schemas/states.ts';
import { type Row, tables } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

/** One row per run, study and model that was asked. */
export async function modelCosts(database: RunDatabase): Promise<Row[]> {
  const totals = await records(database, totalsSql);
  return modelCostRows(totals, await records(database, taskSql(studyModelTask, '')));
}

/** As stored, if all runs are complete and have the table; an older program stored none. */
export async function currentModelCosts(database: RunDatabase): Promise<Row[]> {
  const areStored = database.manifests.every(
    ({ state, parts }) => state === 'complete' && parts.some(({ table }) => table === 'model_costs'),
  );
  return areStored
    ? records(database, `FROM model_costs ORDER BY ${tables.model_costs.key.join(', ')}`)
    : modelCosts(database);
}

/** Adds to rows of `asl` what a solved task cost, over the same cells: those of the unchanged prompt. */
export async function aslWithCosts(database: RunDatabase, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const { key } = tables.asl;
  const tasks = await records(
    database,
    taskSql([...new Set([...key, ...studyModelTask])], "WHERE variant = 'original'"),
  );
  return withSolvedCosts(rows, tasks, key);
}

/**
 * What each task cost and how long its calls took, with the share of its first programs that pass (null if none
 * counts). @param where SQL condition for the rows of studies and models
 */
export const taskCosts = (database: RunDatabase, where: string): Promise<Row[]> =>
  records(database, taskSql(studyModelTask, `WHERE ${where}`));

const studyModelTask = ['run', 'study', 'model', 'benchmark', 'task_id', 'language'];
const cell = tables.samples.key.slice(0, 9).join(', ');
const excluded = [...excludedOutcomes].map(quoteText).join(', ');

/**
 * Sums in call order, so that their last digits do not depend on the number of threads. Token sums are doubles, so
 * that they cannot overflow.
 */
const totalsSql = `
  WITH asked AS (
    SELECT run, study, model, count(*) AS calls, count(*) FILTER (status = 'answered') AS answered,
      ${['input', 'cached', 'cache_write', 'input_audio', 'output', 'reasoning', 'output_audio']
        .map((name) => `coalesce(sum(${name}_tokens::DOUBLE ORDER BY call), 0) AS ${name}_tokens`)
        .join(', ')},
      coalesce(sum(usd ORDER BY call), 0) AS usd,
      coalesce(sum(usd ORDER BY call) FILTER (cost_basis = 'estimated'), 0) AS estimated_usd,
      count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced_calls,
      count(*) FILTER (cost_basis <> 'free') AS paid_calls,
      count(*) FILTER (usage_reported IS NOT NULL) AS disbelieved_calls
    FROM calls GROUP BY ALL),
  answers AS (
    SELECT run, study, model, count(*) AS answers, bool_or(simulated) FILTER (answering_model = model) AS simulated FROM
      samples GROUP BY ALL)
  SELECT asked.*, coalesce(answers.answers, 0) AS answers, coalesce(models.simulated, answers.simulated,
    false) AS simulated
  FROM asked LEFT JOIN answers USING (run, study, model) LEFT JOIN models USING (run, model) ORDER BY run, study,
    model`;

/** What each task cost, and the share of the first programs of its cells that pass (null if none counts). */
const taskSql = (columns: readonly string[], where: string): string => `
  WITH paid AS (
    SELECT ${columns.join(', ')}, coalesce(sum(usd ORDER BY call), 0) AS usd,
      count(*) FILTER (usd IS NULL AND cost_basis <> 'free') AS unpriced_calls,
        count(*) FILTER (cost_basis <> 'free') AS paid_calls,
        coalesce(sum(latency_ms / 1000 ORDER BY call), 0) AS seconds,
        count(*) FILTER (latency_ms IS NULL AND status = 'answered') AS untimed_calls,
        count(latency_ms) AS timed_calls
    FROM calls ${where} GROUP BY ALL),
  judged AS (
    SELECT ${cell}, loop, step, sample, bool_and(outcome = 'pass') AS passed,
      bool_or(outcome IN (${excluded})) AS excluded
    FROM verdicts ${where} GROUP BY ALL),
  firsts AS (SELECT * FROM judged QUALIFY loop = min(loop) OVER (PARTITION BY ${cell})),
  solved AS (SELECT ${columns.join(', ')}, avg(passed::INT) FILTER (NOT excluded) AS solved FROM firsts GROUP BY ALL)
  SELECT ${columns.map((name) => `coalesce(paid.${name}, solved.${name}) AS ${name}`).join(', ')}, solved,
    coalesce(usd, 0) AS usd, coalesce(unpriced_calls, 0) AS unpriced_calls, coalesce(paid_calls, 0) AS paid_calls,
    coalesce(seconds, 0) AS seconds, coalesce(untimed_calls, 0) AS untimed_calls,
    coalesce(timed_calls, 0) AS timed_calls
  FROM paid FULL JOIN solved USING (${columns.join(', ')}) ORDER BY ${columns.map((_, index) => index + 1).join(', ')}`;
