/** The note on tasks of open runs that repeat another one. */
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { repeatedTasksNotes } from '../../domain/benchmarks/repeated-tasks.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Task } from '../../schemas/task.ts';

export async function repeatedTasks(database: RunDatabase, benchmarks: readonly string[]): Promise<string[]> {
  const rows = await records(
    database,
    'SELECT DISTINCT benchmark, task_id, language, prompt, entry_point FROM tasks ' +
      'WHERE language IS NOT NULL AND prompt IS NOT NULL AND entry_point IS NOT NULL ORDER BY ALL',
  );
  return [...new Set(benchmarks)].flatMap((benchmark) =>
    repeatedTasksNotes(
      benchmark,
      rows
        .filter((row) => row['benchmark'] === benchmark)
        .map((row) => ({
          ...{ taskId: textOf(row, 'task_id'), language: textOf(row, 'language') as Task['language'] },
          ...{ prompt: textOf(row, 'prompt'), entryPoint: textOf(row, 'entry_point') },
        })),
    ),
  );
}
