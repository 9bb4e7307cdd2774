/** Writes `views.sql` to the run's folder: views of its tables for any DuckDB started there. */
import { join } from 'node:path';
import { folderViews } from '../../analysis/shell-sql.ts';
import { studyViews } from '../../studies/answers.ts';
import { viewsName } from '../storage/run-paths.ts';
import type { RunHome } from '../storage/home/run-home.ts';

/**
 * Paths are patterns, so the text changes only when a table or a study is added. Needs every part of the run, and does
 * nothing for a run that has no folder of its own.
 */
export async function writeViews({ folder, isOnServers, seals }: RunHome): Promise<void> {
  if (isOnServers) return;
  await seals.write(join(folder, viewsName), await folderViews(folder, studyViews));
}
