/** Verdicts that are left undecided, by a limit of evenkeel or for want of a reference's output. */
import { counted } from '../../../domain/counted.ts';
import { nameList } from '../../../domain/name-list.ts';
import { withoutReferenceSql } from '../../answers/without-reference.ts';
import { excludedList } from '../../excluded-list.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../../database.ts';
import { type Ceiling, onlySomeCases } from '../ceilings.ts';
import { records } from '../../records.ts';

export interface ExcludedVerdicts {
  readonly run: string;
  readonly model: string;
  readonly count: number;
  /** Of these, verdicts on answers to tasks whose reference gives no output to compare with. */
  readonly byReference: number;
  /** All verdicts on the model. */
  readonly of: number;
}

/** Models without any are omitted. */
export async function excludedVerdicts(database: RunDatabase): Promise<ExcludedVerdicts[]> {
  const rows = await records(database, sql);
  return rows.map((row) => ({
    ...{ run: textOf(row, 'run'), model: textOf(row, 'model') },
    ...{ count: numberOf(row, 'excluded'), of: numberOf(row, 'verdicts') },
    byReference: numberOf(row, 'by_reference'),
  }));
}

/** Names the tasks of which no answer can be judged, for want of a reference's output; null if there are none. */
export async function referencesLine(
  database: RunDatabase,
  excluded: readonly ExcludedVerdicts[],
): Promise<string | null> {
  if (excluded.every((one) => one.byReference === 0)) return null;
  const rows = await records(database, `SELECT DISTINCT task_id FROM (${onUnjudgedTasks}) ORDER BY task_id`);
  const names = rows.map((row) => textOf(row, 'task_id'));
  return noReferenceText(names);
}

/** @param tasks ids of the tasks that cannot be judged, at least one */
export function noReferenceText(tasks: readonly string[]): string {
  const [they, these] = tasks.length === 1 ? ['it fails or is', 'this task'] : ['they fail or are', 'these tasks'];
  return (
    `references: no output from that of ${counted(tasks.length, 'task')} (${nameList(tasks)}): ${they} missing, so ` +
    `answers to ${these} are not judged; see table suites, and mend the benchmark`
  );
}

/**
 * Names the tasks with answers of which only some cases count; null if there are none.
 * @param ceilings of the same run or runs
 */
export async function partlyJudgedLine(database: RunDatabase, ceilings: readonly Ceiling[]): Promise<string | null> {
  if (ceilings.every(({ partlyJudged }) => partlyJudged.length === 0)) return null;
  const rows = await records(database, partlyJudgedSql);
  const names = rows.map((row) => textOf(row, 'task_id'));
  if (names.length === 0) return null;
  const [that, give] = names.length === 1 ? ['that', 'gives'] : ['those', 'give'];
  return (
    `references: ${that} of ${counted(names.length, 'task')} (${nameList(names)}) ${give} no output for some cases: ` +
    'these are excluded, and answers are judged on the others; see n_cases_judged in table suites'
  );
}

const partlyJudgedSql = `
  SELECT DISTINCT task_id FROM (FROM suites WHERE ${onlySomeCases})
  SEMI JOIN verdicts USING (run, benchmark, task_id, language, suite) ORDER BY task_id`;

/** Verdicts that any answer would have there. */
const onUnjudgedTasks = `
  SELECT run, model, task_id FROM (FROM verdicts WHERE outcome = 'not_run')
  SEMI JOIN (${withoutReferenceSql}) AS without USING (run, benchmark, suite, task_id)`;

const sql = `
  WITH counts AS (
    SELECT run, model, count_if(outcome IN (${excludedList}))::INT AS excluded, count(*)::INT AS verdicts
    FROM verdicts GROUP BY ALL HAVING excluded > 0),
  unjudged AS (SELECT run, model, count(*)::INT AS by_reference FROM (${onUnjudgedTasks}) GROUP BY ALL)
  SELECT run, model, excluded, coalesce(by_reference, 0) AS by_reference, verdicts
  FROM counts LEFT JOIN unjudged USING (run, model) ORDER BY ALL`;
