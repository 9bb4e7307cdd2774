/** The tasks of open runs that repeat another one. */
import type { StudyRepeats } from '../../analysis/card/repeated-prompts.ts';
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { type RepeatedTasks, repeatedTasksText } from '../../domain/benchmarks/repeated-tasks.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';

/** What to know of these benchmarks, one sentence for each that has such tasks. */
export async function repeatedTasks(database: RunDatabase, benchmarks: readonly string[]): Promise<string[]> {
  const found = await repeatedIn(database);
  return [...new Set(benchmarks)].flatMap((name) =>
    found.filter(({ benchmark }) => benchmark === name).map(repeatedTasksText),
  );
}

/** By study; without those whose tasks repeat nothing. */
export async function repeatedInStudies(database: RunDatabase): Promise<StudyRepeats[]> {
  const found = await repeatedIn(database);
  const studies = new Map(
    database.manifests.flatMap(({ spec }) => spec.studies.map((study) => [study.name, study] as const)),
  );
  return [...studies.values()].flatMap(({ name, kind, benchmark }) =>
    found.filter((own) => own.benchmark === benchmark).map((own) => ({ study: name, kind, ...own })),
  );
}

/** Benchmarks with such tasks. The first task in order with a prompt repeats nothing, nor does one without a prompt. */
async function repeatedIn(database: RunDatabase): Promise<RepeatedTasks[]> {
  const rows = await records(database, sql);
  return rows.map((row) => ({
    benchmark: textOf(row, 'benchmark'),
    ...{ tasks: numberOf(row, 'n_tasks'), repeated: numberOf(row, 'n_repeated') },
  }));
}

const sql = `
  SELECT benchmark, count(DISTINCT task_id)::INT AS n_tasks,
    count(DISTINCT task_id) FILTER (prompt <> '' AND first_task <> task_id)::INT AS n_repeated
  FROM (
    SELECT *, min(task_id) OVER (PARTITION BY benchmark, language, entry_point, prompt) AS first_task
    FROM (
      SELECT DISTINCT benchmark, task_id, language, prompt, entry_point FROM tasks
      WHERE language IS NOT NULL AND prompt IS NOT NULL AND entry_point IS NOT NULL
    )
  )
  GROUP BY benchmark HAVING n_repeated > 0 ORDER BY benchmark`;
