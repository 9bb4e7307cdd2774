/** `views.sql` in the run's folder: its tables in any DuckDB that is started there. */
import { join } from 'node:path';
import { folderViews } from '../analysis/shell-sql.ts';
import { writeFileDurably } from './storage/durable-file.ts';

/** A change of parts needs no other text, except where a table is new: paths are patterns. */
export async function writeViews(runFolder: string): Promise<void> {
  writeFileDurably(join(runFolder, 'views.sql'), new TextEncoder().encode(await folderViews(runFolder)));
}
