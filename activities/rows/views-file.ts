/** Writes `views.sql` to the run's folder: views of its tables for any DuckDB started there. */
import { join } from 'node:path';
import { folderViews } from '../../analysis/shell-sql.ts';
import { studyViews } from '../../studies/answers.ts';
import { writeFileDurably } from '../storage/files/durable-file.ts';

/** Paths are patterns, so the text changes only when a table or a study is added. */
export async function writeViews(runFolder: string): Promise<void> {
  writeFileDurably(join(runFolder, 'views.sql'), new TextEncoder().encode(await folderViews(runFolder, studyViews)));
}
