/** The solutions of one RobuNFR study and model, from a run's tables. */
import type { Solution, SolutionQuality } from '../../../domain/metrics/nfr-solutions.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Outcome } from '../../../schemas/states.ts';
import type { Row, TableName } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { executionsOf, outcomeOf } from '../../../analysis/first-answers.ts';
import { type ModelOfStudy, modelRows } from '../../../analysis/model-rows.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { plainAt } from '../steps.ts';
import { timeUnits, timingIn, unitName } from './time-units.ts';

/** One solution per cell, in the order of settings, dimensions and tasks. */
export async function nfrSolutions(database: RunDatabase, wanted: ModelOfStudy): Promise<Solution[]> {
  const own = (table: TableName): string => modelRows(database, table, wanted);
  const scores = await records(
    database,
    `from ${own('nfr_scores')}
     order by dimension <> 'function-only', setting, dimension, task_id, variant, repetition`,
  );
  const verdicts = await records(
    database,
    `select task_id, variant, setting, repetition, step, suite, outcome, execution_id from ${own('verdicts')}`,
  );
  const suites = await records(
    database,
    `select distinct task_id, suite from suites
     where run = ${quoteText(wanted.run)} and benchmark in (select distinct benchmark from ${own('nfr_scores')})`,
  );
  const measured = new Map(
    (await records(database, qualityOf(database.rowsOf('quality', wanted.run, wanted.model), own('samples')))).map(
      (row) => [cellName(row), row],
    ),
  );
  const timed = new Map(
    (await records(database, timesOf(database.rowsOf('timings', wanted.run, wanted.model), own('verdicts')))).map(
      (row) => [cellName(row), row],
    ),
  );
  const units = await timeUnits(database, wanted.run);
  const judged = Map.groupBy(verdicts, cellName);
  const suitesOf = Map.groupBy(suites, (row) => textOf(row, 'task_id'));
  return scores.map((row) => {
    const times = timed.get(cellName(row));
    return {
      ...solutionOf(row, {
        verdicts: judged.get(cellName(row)) ?? [],
        plain: judged.get(cellName({ ...row, step: plainAt.step })) ?? [],
        suites: suitesOf.get(textOf(row, 'task_id')) ?? [],
      }),
      quality: qualityIn(measured.get(cellName(row)), row),
      timing: times === undefined ? null : timingIn(times, units.get(unitName(row))),
    };
  });
}

/** The quality of each answer's program. A program has one row per page that used it, all equal. */
const qualityOf = (measured: string, samples: string): string => `
  WITH q AS (SELECT DISTINCT ON (program_sha256) * FROM (${measured}) WHERE reason IS NULL)
  SELECT s.task_id, s.variant, s.setting, s.repetition, s.step, q.loc, q.code_smells, q.unreadability,
    q.handlers + q.raises AS exceptions
  FROM ${samples} s JOIN q USING (program_sha256)`;

/**
 * Mean times over the repeats of each answer's program, minus the time that it waited for its core: a busy machine
 * would otherwise determine the means. That wait is read around the clocks, so it may be longer than what they measure;
 * no time is shorter than its CPU time. In a fixed order, because the last digit of a sum depends on it.
 */
const timesOf = (measured: string, verdicts: string): string => `
  WITH once AS (
    SELECT DISTINCT ON (execution_id, repeat) execution_id, repeat, cpu_ns, yardstick_cpu_ns, yardstick_wall_ns,
      greatest(wall_ns - waited_ns, least(cpu_ns, wall_ns)) AS wall_ns
    FROM (${measured}) WHERE wall_ns IS NOT NULL ORDER BY page),
  t AS (SELECT execution_id, avg(wall_ns ORDER BY repeat) / 1e6 AS wall_ms,
    avg(cpu_ns ORDER BY repeat) / 1e6 AS cpu_ms, max(yardstick_wall_ns) / 1e6 AS yardstick_wall_ms,
    max(yardstick_cpu_ns) / 1e6 AS yardstick_cpu_ms FROM once GROUP BY ALL)
  SELECT v.task_id, v.variant, v.setting, v.repetition, v.step, v.outcome = 'pass' AS passed, t.* EXCLUDE (execution_id)
  FROM ${verdicts} v JOIN t USING (execution_id)`;

/** If the study sets patterns, their matches replace the statements counted in the syntax tree. */
function qualityIn(measured: Row | undefined, score: Row): SolutionQuality | null {
  if (measured === undefined) return null;
  const matches = score['exception_matches'] ?? null;
  return {
    loc: numberOf(measured, 'loc'),
    codeSmells: numberOf(measured, 'code_smells'),
    unreadability: numberOf(measured, 'unreadability'),
    exceptionHandling: matches === null ? numberOf(measured, 'exceptions') : numberOf(score, 'exception_matches'),
  };
}

const cellName = (row: Row): string =>
  JSON.stringify(['task_id', 'variant', 'setting', 'repetition', 'step'].map((column) => row[column] ?? null));

interface Judged {
  readonly verdicts: readonly Row[];
  /** Of the answer that is improved; of others the same as `verdicts`. */
  readonly plain: readonly Row[];
  /** Of the task. */
  readonly suites: readonly Row[];
}

/**
 * A missing answer, or an improvement without code to improve, counts as `no_code` on every suite of the task, except
 * where nothing is known of the plain answer either.
 */
function solutionOf(row: Row, { verdicts, plain, suites }: Judged): Solution {
  const outcomesIn = (rows: readonly Row[]) =>
    new Map(rows.map((verdict): [string, Outcome] => [textOf(verdict, 'suite'), outcomeOf(verdict)]));
  const unimproved = outcomesIn(plain);
  const withoutCode = suites.map((suite): [string, Outcome] => {
    const name = textOf(suite, 'suite');
    return [name, unimproved.get(name) === 'not_run' ? 'not_run' : 'no_code'];
  });
  return {
    taskId: textOf(row, 'task_id'),
    setting: textOf(row, 'setting'),
    dimension: textOf(row, 'dimension'),
    variant: textOf(row, 'variant'),
    repetition: numberOf(row, 'repetition'),
    phrasing: row['phrasing'] == null ? null : textOf(row, 'phrasing'),
    outcomes: verdicts.length > 0 ? outcomesIn(verdicts) : new Map(withoutCode),
    ...executionsOf(verdicts),
    quality: null,
    timing: null,
    simulated: row['simulated'] === true,
  };
}
