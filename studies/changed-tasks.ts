/** Tasks that differ between runs. */
import type { RunDatabase } from '../analysis/database.ts';
import { records } from '../analysis/records.ts';
import { textOf } from '../domain/metrics/row-order.ts';
import type { Manifest } from '../schemas/manifest.ts';

/** Ids of tasks of the second run that are new or whose prompt or tests have changed since the first. */
export async function changedTaskIds(
  database: RunDatabase,
  old: Manifest,
  now: Manifest,
  benchmark: string,
): Promise<Set<string>> {
  if (old === now) return new Set();
  const rows = await records(database, 'select run, benchmark, task_id, record_sha256 from tasks');
  const hashes = ({ runId }: Manifest): Map<string, string> =>
    new Map(
      rows
        .filter((row) => row['run'] === runId && row['benchmark'] === benchmark)
        .map((row) => [textOf(row, 'task_id'), textOf(row, 'record_sha256')]),
    );
  const [before, after] = [hashes(old), hashes(now)];
  return new Set([...after].flatMap(([task, hash]) => (before.get(task) === hash ? [] : [task])));
}
