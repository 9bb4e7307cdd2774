/** Verdicts here beside those of the tool that answers were imported from, counted. */
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../database.ts';
import { recordedAgreementView } from '../../answers/recorded-agreement.ts';
import { records } from '../../records.ts';

/** Answers that both judged, by both verdicts. */
export interface AgreementCounts {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly suite: string;
  /** The tool, with its scorer if it has several. */
  readonly recordedBy: string;
  readonly bothPass: number;
  readonly bothFail: number;
  readonly onlyThere: number;
  readonly onlyHere: number;
  /** Answers that evenkeel could not judge, or whose suite the run does not have. */
  readonly unjudged: number;
}

/** A task on which verdicts differ. */
export interface Disagreement extends AgreementCounts {
  readonly benchmark: string;
  readonly language: string;
  readonly setting: string;
  readonly taskId: string;
}

export interface Agreement {
  readonly tools: readonly AgreementCounts[];
  /** The tasks with the most answers on which verdicts differ, at most `mostTasks`. */
  readonly disagreements: readonly Disagreement[];
  /** How many tasks there are in all on which verdicts differ. */
  readonly differing: number;
}

export const mostTasks = 100;

const lines = 'run, study, model, suite, recorded_by';
const tasks = `${lines}, benchmark, language, setting, task_id`;

const paired = `(${recordedAgreementView.sql([], null)})`;

const sums = `sum(n_same - n_both_pass) AS both_fail, sum(n_both_pass) AS both_pass,
  sum(n_only_recorded) AS only_there, sum(n_only_here) AS only_here, sum(n_unjudged) AS unjudged`;

export async function agreement(database: RunDatabase): Promise<Agreement> {
  const tools = await records(database, `SELECT ${lines}, ${sums} FROM ${paired} GROUP BY ${lines} ORDER BY ${lines}`);
  const differing = await records(
    database,
    `SELECT ${tasks}, ${sums} FROM ${paired} WHERE n_same < n GROUP BY ${tasks}
     ORDER BY sum(n - n_same) DESC, ${tasks}`,
  );
  return {
    tools: tools.map(countsOf),
    disagreements: differing.slice(0, mostTasks).map((row) => ({
      ...countsOf(row),
      benchmark: textOf(row, 'benchmark'),
      language: textOf(row, 'language'),
      setting: textOf(row, 'setting'),
      taskId: textOf(row, 'task_id'),
    })),
    differing: differing.length,
  };
}

const countsOf = (row: Row): AgreementCounts => ({
  run: textOf(row, 'run'),
  study: textOf(row, 'study'),
  model: textOf(row, 'model'),
  suite: textOf(row, 'suite'),
  recordedBy: textOf(row, 'recorded_by'),
  bothPass: numberOf(row, 'both_pass'),
  bothFail: numberOf(row, 'both_fail'),
  onlyThere: numberOf(row, 'only_there'),
  onlyHere: numberOf(row, 'only_here'),
  unjudged: numberOf(row, 'unjudged'),
});
