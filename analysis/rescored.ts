/** Compares two runs of the same replies, judged under two rules: which verdicts changed. */
import { numberOf, textOf } from '../domain/metrics/row-order.ts';
import { excludedOutcomes } from '../schemas/states.ts';
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { records } from './records.ts';
import { quoteText } from './views.ts';

/** Counts for one study and model: programs per sample, verdicts per sample and suite. */
export interface RescoredModel {
  readonly study: string;
  readonly model: string;
  readonly rule: string;
  /** Verdicts that both runs have. */
  readonly compared: number;
  readonly passedBefore: number;
  readonly passedNow: number;
  /** Samples whose program differs, or exists in one run only. */
  readonly otherPrograms: number;
  /** Verdicts that changed to passed or from it: from and to failed or excluded. */
  readonly nowPass: number;
  readonly noLongerPass: number;
  /** Of these, verdicts that were excluded before, or are now. */
  readonly nowPassExcludedBefore: number;
  readonly noLongerPassExcludedNow: number;
  /** Verdicts that changed between excluded and failed, in each direction. */
  readonly nowFailExcludedBefore: number;
  readonly nowExcludedFailedBefore: number;
  /** Verdicts that changed in another way: failed in another way, or excluded for another reason. */
  readonly otherOutcome: number;
  /** Verdicts of loops or steps that only one run reached. */
  readonly onlyBefore: number;
  readonly onlyNow: number;
  /** Answers that the second run needs but that were never requested. */
  readonly notAsked: number;
}

export interface MovedVerdict {
  readonly study: string;
  readonly model: string;
  readonly taskId: string;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
  readonly loop: number;
  readonly sample: number;
  readonly suite: string;
  readonly before: string;
  readonly now: string;
}

const place = 'study, model, task_id, language, variant, setting, repetition, loop, step, sample';

export async function rescoredModels(database: RunDatabase, before: string, now: string): Promise<RescoredModel[]> {
  const rows = await records(database, modelsSql(quoteText(before), quoteText(now)));
  return rows.map((row) => ({
    study: textOf(row, 'study'),
    model: textOf(row, 'model'),
    rule: textOf(row, 'rule'),
    compared: numberOf(row, 'compared'),
    passedBefore: numberOf(row, 'passed_before'),
    passedNow: numberOf(row, 'passed_now'),
    otherPrograms: numberOf(row, 'other_programs'),
    nowPass: numberOf(row, 'now_pass'),
    noLongerPass: numberOf(row, 'no_longer_pass'),
    nowPassExcludedBefore: numberOf(row, 'now_pass_excluded_before'),
    noLongerPassExcludedNow: numberOf(row, 'no_longer_pass_excluded_now'),
    nowFailExcludedBefore: numberOf(row, 'now_fail'),
    nowExcludedFailedBefore: numberOf(row, 'now_excluded'),
    otherOutcome: numberOf(row, 'other_outcome'),
    onlyBefore: numberOf(row, 'only_before'),
    onlyNow: numberOf(row, 'only_now'),
    notAsked: numberOf(row, 'not_asked'),
  }));
}

const isExcluded = (outcome: string): string => `${outcome} IN (${[...excludedOutcomes].map(quoteText).join(', ')})`;

/** `change` is null where a verdict is the same, and where only one run has it. */
const verdictsSql = (before: string, now: string): string => `
  sides AS (SELECT ${place}, suite, b.outcome AS before, n.outcome AS now,
      CASE WHEN b.outcome IS NULL OR n.outcome IS NULL OR b.outcome = n.outcome THEN NULL
        WHEN b.outcome = 'pass' THEN 'no_longer_pass' WHEN n.outcome = 'pass' THEN 'now_pass'
        WHEN ${isExcluded('b.outcome')} = ${isExcluded('n.outcome')} THEN 'other_outcome'
        WHEN ${isExcluded('b.outcome')} THEN 'now_fail' ELSE 'now_excluded' END AS change
    FROM (SELECT * FROM verdicts WHERE run = ${before} AND suite IN (${suitesOf(now)})) b
    FULL JOIN (SELECT * FROM verdicts WHERE run = ${now} AND suite IN (${suitesOf(before)})) n
    USING (${place}, suite))`;

/** A suite that only one of the runs has is no change of a verdict. */
const suitesOf = (run: string): string => `SELECT suite FROM verdicts WHERE run = ${run}`;

const changes = ['now_pass', 'no_longer_pass', 'now_fail', 'now_excluded', 'other_outcome'];

const modelsSql = (before: string, now: string): string => `
  WITH ${verdictsSql(before, now)},
  asked AS (SELECT ${place}, program_sha256 AS program, reply_status, extraction_rule FROM samples WHERE run = ${now}),
  programs AS (SELECT study, model,
      count(*) FILTER (WHERE b.program_sha256 IS DISTINCT FROM a.program AND a.reply_status <> 'not_asked') AS
        other_programs,
      count(*) FILTER (WHERE a.reply_status = 'not_asked') AS not_asked, max(a.extraction_rule) AS rule
    FROM asked a LEFT JOIN (SELECT * FROM samples WHERE run = ${before}) b USING (${place}) GROUP BY ALL),
  moved AS (SELECT study, model, count(*) FILTER (WHERE before IS NOT NULL AND now IS NOT NULL) AS compared,
      count(*) FILTER (WHERE before = 'pass' AND now IS NOT NULL) AS passed_before,
      count(*) FILTER (WHERE now = 'pass' AND before IS NOT NULL) AS passed_now,
      ${changes.map((change) => `count(*) FILTER (WHERE change = '${change}')::INT AS ${change},`).join('\n      ')}
      count(*) FILTER (WHERE now = 'pass' AND ${isExcluded('before')})::INT AS now_pass_excluded_before,
      count(*) FILTER (WHERE before = 'pass' AND ${isExcluded('now')})::INT AS no_longer_pass_excluded_now,
      count(*) FILTER (WHERE now IS NULL) AS only_before, count(*) FILTER (WHERE before IS NULL) AS only_now
    FROM sides GROUP BY ALL)
  SELECT study, model, coalesce(rule, '') AS rule, compared::INT AS compared, passed_before::INT AS passed_before,
    passed_now::INT AS passed_now, other_programs::INT AS other_programs, ${changes.join(', ')},
    now_pass_excluded_before, no_longer_pass_excluded_now, only_before::INT AS only_before,
    only_now::INT AS only_now, not_asked::INT AS not_asked
  FROM moved JOIN programs USING (study, model) ORDER BY study, model`;

/** The suites of a run, and how many of its answers a suite judged. */
export async function judgedAnswers(
  database: RunDatabase,
): Promise<{ readonly suites: readonly string[]; readonly answers: number }> {
  const suites = await records(database, 'SELECT DISTINCT suite FROM verdicts ORDER BY suite');
  const [row] = await records(
    database,
    `SELECT count(*)::INT AS answers FROM (SELECT DISTINCT run, ${place} FROM verdicts WHERE outcome <> 'not_run')`,
  );
  return {
    suites: suites.map((one) => textOf(one, 'suite')),
    answers: row === undefined ? 0 : numberOf(row, 'answers'),
  };
}

/** The first that changed in what they count as. @param most per study, model and kind of change */
export async function movedVerdicts(
  database: RunDatabase,
  before: string,
  now: string,
  most: number,
): Promise<MovedVerdict[]> {
  const rows = await records(
    database,
    `WITH ${verdictsSql(quoteText(before), quoteText(now))}
     SELECT study, model, task_id, variant, setting, repetition, loop, sample, suite, before, now FROM sides
     WHERE change <> 'other_outcome'
     QUALIFY row_number() OVER (PARTITION BY study, model, change ORDER BY task_id, variant, setting, repetition,
       loop, sample, suite) <= ${most}
     ORDER BY study, model, change, task_id, variant, setting, repetition, loop, sample, suite`,
  );
  return rows.map(movedOf);
}

const movedOf = (row: Row): MovedVerdict => ({
  study: textOf(row, 'study'),
  model: textOf(row, 'model'),
  taskId: textOf(row, 'task_id'),
  variant: textOf(row, 'variant'),
  setting: textOf(row, 'setting'),
  repetition: numberOf(row, 'repetition'),
  loop: numberOf(row, 'loop'),
  sample: numberOf(row, 'sample'),
  suite: textOf(row, 'suite'),
  before: textOf(row, 'before'),
  now: textOf(row, 'now'),
});
