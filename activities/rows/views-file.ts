/** Writes `views.sql` to the run's folder: views of its tables for any DuckDB started there. */
import { join } from 'node:path';
import { folderViews } from '../../analysis/shell-sql.ts';
import { studyViews } from '../../studies/answers.ts';
import { viewsName } from '../storage/run-paths.ts';
import { writeSealed } from '../storage/seals.ts';

/** Paths are patterns, so the text changes only when a table or a study is added. Needs every part of the run. */
export async function writeViews(runFolder: string): Promise<void> {
  await writeSealed(runFolder, join(runFolder, viewsName), await folderViews(runFolder, studyViews));
}
