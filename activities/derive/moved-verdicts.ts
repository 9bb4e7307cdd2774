/** For a rescored run: the verdicts that differ from those of the original run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunDatabase } from '../../analysis/database.ts';
import { records } from '../../analysis/records.ts';
import { movedRows } from '../../domain/metrics/moved-rows.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Row } from '../../schemas/tables.ts';
import type { TableRows } from '../storage/parts/encoded-tables.ts';

/** A suite that only one of the runs has is no change of a verdict. */
function sharedSuites(rows: readonly Row[], others: readonly Row[]): readonly Row[] {
  const known = new Set(others.map(({ suite }) => suite));
  return rows.filter(({ suite }) => known.has(suite));
}

/**
 * No table for any other run, or if the original run's verdicts were not stored.
 * @param folder has the file with the verdicts of the original run
 */
export async function movedTable(folder: string, manifest: Manifest, database: RunDatabase): Promise<TableRows> {
  const before = manifest.rescored?.verdicts;
  if (before === undefined) return {};
  const lines = readFileSync(join(folder, before.file), 'utf8').split('\n');
  const rows = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
  const now = await records(database, 'from verdicts');
  return { moved_verdicts: movedRows(manifest.runId, sharedSuites(rows, now), sharedSuites(now, rows)) };
}
