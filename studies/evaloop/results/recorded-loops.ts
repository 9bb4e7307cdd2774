/** Compares the results of a replayed recording with those that its authors recorded. */
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { RecordedTask } from '../trajectories.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import type { RecordedDifferences } from '../../study-importer.ts';

/**
 * Counts the tasks that the recording and the model's studies share, under the default setting, and lists those whose
 * sustained loops differ, with the reason why they ended here.
 */
export async function recordedDifferences(
  database: RunDatabase,
  model: string,
  tasks: readonly RecordedTask[],
): Promise<RecordedDifferences> {
  const rows = await records(database, endingsSql(model));
  const recorded = new Map(tasks.map((task) => [task.taskId, task]));
  const known = rows.filter((row) => recorded.has(textOf(row, 'task_id')));
  const differences = known.flatMap((row) => {
    const task = recorded.get(textOf(row, 'task_id')) as RecordedTask;
    const here = numberOf(row, 'sustained_loops');
    if (here === task.sustained) return [];
    return [
      { study: textOf(row, 'study'), taskId: task.taskId, recorded: task.sustained, here, reason: reasonOf(row, task) },
    ];
  });
  return { compared: known.length, differences };
}

function reasonOf(row: Row, { sustained }: RecordedTask): string {
  const here = numberOf(row, 'sustained_loops');
  const ended = textOf(row, 'ended_by');
  if (here > sustained) return `the code of loop ${sustained + 1} passes every suite here`;
  if (ended === 'no_summary') return 'the recording holds no summary of code that passed';
  const outcome = row['ended_outcome'] === null ? ended : textOf(row, 'ended_outcome');
  const where = row['suite'] === null ? '' : ` on suite ${textOf(row, 'suite')}`;
  const detail = row['detail'] === null ? '' : `, ${textOf(row, 'detail')}`;
  return `the code of loop ${here + 1} results in ${outcome}${where}${detail}`;
}

/** How the tasks ended, with the first suite that the last code failed. */
const endingsSql = (model: string): string => `
  WITH failed AS (
    SELECT v.study, v.task_id, v.loop, arg_min(v.suite, v.suite) AS suite, arg_min(e.detail, v.suite) AS detail
    FROM (SELECT * FROM verdicts WHERE model = ${quoteText(model)} AND variant = 'original' AND setting = 'default' AND
      repetition = 0
      AND step = 'generate' AND outcome <> 'pass') v LEFT JOIN executions e USING (run, execution_id) GROUP BY ALL)
  SELECT l.study, l.task_id, l.sustained_loops, l.ended_by, l.ended_outcome, f.suite, f.detail FROM loops l
  LEFT JOIN failed f ON f.study = l.study AND f.task_id = l.task_id AND f.loop = l.sustained_loops + 1
  WHERE l.model = ${quoteText(model)} AND l.variant = 'original' AND l.setting = 'default' AND l.repetition = 0
  ORDER BY l.study, l.task_id`;
