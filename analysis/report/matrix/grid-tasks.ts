/** What each task of a grid asks for, and whether its own reference passes. */
import { textOf } from '../../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../../database.ts';
import { records } from '../../records.ts';

export interface TaskPlace {
  readonly run: string;
  readonly benchmark: string;
  readonly language: string;
  readonly taskId: string;
}

export interface GridTask {
  /** The start of the benchmark's prompt; null if the run does not hold it. */
  readonly prompt: string | null;
  /** Whether the benchmark's own reference passes every suite; null if unknown. */
  readonly referencePasses: boolean | null;
}

const unknownTask: GridTask = { prompt: null, referencePasses: null };

export async function gridTasks(database: RunDatabase): Promise<(task: TaskPlace) => GridTask> {
  const rows = await records(database, tasksSql);
  const nameOf = (...names: readonly string[]): string => names.join('\n');
  const known = new Map(
    rows.map((row): [string, GridTask] => {
      const [prompt, passes] = [row['prompt'], row['reference_passes']];
      return [
        nameOf(...['run', 'benchmark', 'language', 'task_id'].map((column) => textOf(row, column))),
        {
          prompt: typeof prompt === 'string' ? prompt : null,
          referencePasses: typeof passes === 'boolean' ? passes : null,
        },
      ];
    }),
  );
  return ({ run, benchmark, language, taskId }) => known.get(nameOf(run, benchmark, language, taskId)) ?? unknownTask;
}

/** The start of a prompt is enough to recognise a task. */
const tasksSql = `
  SELECT run, benchmark, language, task_id, left(prompt, 2000) AS prompt, reference_passes
  FROM (SELECT run, benchmark, language, task_id, bool_and(reference_outcome = 'pass') AS reference_passes
    FROM suites GROUP BY ALL)
  FULL JOIN tasks USING (run, benchmark, language, task_id)`;
