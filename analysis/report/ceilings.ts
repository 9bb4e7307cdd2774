import { excludedList } from '../excluded-list.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../database.ts';
import { records } from '../records.ts';

/** How the benchmark's own reference solutions do on one suite: more is expected of a model only where one is wrong. */
export interface Ceiling {
  readonly run: string;
  readonly benchmark: string;
  readonly language: string;
  readonly suite: string;
  readonly tasks: number;
  readonly cases: number;
  /** Tasks whose reference passes the suite. */
  readonly passed: number;
  /** Tasks whose reference fails, as "wall_timeout: MBPP/3". */
  readonly failures: readonly string[];
  /**
   * Tasks without a reference, or with one that could not be judged, written the same way. They are not in the ceiling,
   * as such answers are in no rate.
   */
  readonly unjudged: readonly string[];
  /** Tasks of which only some cases count, as "MBPP/3: 7 of 10"; the reference gives no output for the others. */
  readonly partlyJudged: readonly string[];
}

/** Tasks whose reference passes or fails. */
export const judgedTasks = ({ tasks, unjudged }: Ceiling): number => tasks - unjudged.length;

export async function ceilings(database: RunDatabase): Promise<Ceiling[]> {
  const rows = await records(database, ceilingsSql);
  return rows.map((row) => ({
    run: textOf(row, 'run'),
    benchmark: textOf(row, 'benchmark'),
    language: textOf(row, 'language'),
    suite: textOf(row, 'suite'),
    tasks: numberOf(row, 'tasks'),
    cases: numberOf(row, 'cases'),
    passed: numberOf(row, 'passed'),
    failures: row['failures'] as unknown as readonly string[],
    unjudged: row['unjudged'] as unknown as readonly string[],
    partlyJudged: row['partly_judged'] as unknown as readonly string[],
  }));
}

const excluded = `reference_outcome IN (${excludedList})`;
/** False where an early version wrote the row. */
export const onlySomeCases = '(n_cases_judged > 0 AND n_cases_judged < n_cases)';
const judgedCases = "list(task_id || ': ' || n_cases_judged || ' of ' || n_cases ORDER BY task_id)";
const named = "list(reference_outcome || ': ' || task_id ORDER BY reference_outcome, task_id)";

const ceilingsSql = `
  SELECT run, benchmark, language, suite,
    count(*) AS tasks,
    sum(n_cases)::BIGINT AS cases,
    count(*) FILTER (reference_outcome = 'pass') AS passed,
    coalesce(${named} FILTER (reference_outcome <> 'pass' AND NOT ${excluded}), []) AS failures,
    coalesce(${named} FILTER (${excluded}), []) AS unjudged,
    coalesce(${judgedCases} FILTER (${onlySomeCases}), []) AS partly_judged
  FROM suites
  GROUP BY ALL
  ORDER BY run, benchmark, language, suite`;
