/** Records of the tasks of runs, by their hashes. */
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { textOf } from '../../domain/metrics/row-order.ts';

/** Of one run and benchmark: the hashes of each task's record, as judged and without the judging rule. */
export type TaskRecords = ReadonlyMap<string, readonly string[]>;

/** The records of any run and benchmark, in the order of their tasks. */
export async function taskRecords(database: RunDatabase): Promise<(run: string, benchmark: string) => TaskRecords> {
  const rows = await records(
    database,
    'select distinct run, benchmark, task_id, record_sha256, plain_sha256 from tasks order by benchmark, task_id',
  );
  const byPlace = Map.groupBy(rows, (row) => placeOf(textOf(row, 'run'), textOf(row, 'benchmark')));
  return (run, benchmark) =>
    new Map(
      byPlace.get(placeOf(run, benchmark))?.map((row) => {
        const record = textOf(row, 'record_sha256');
        return [textOf(row, 'task_id'), [record, String(row['plain_sha256'] ?? record)]];
      }),
    );
}

const placeOf = (run: string, benchmark: string): string => JSON.stringify([run, benchmark]);

/** Whether two runs have the same task: the rule that judges it may differ. */
export const isSameRecord = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.some((hash) => others.includes(hash));
