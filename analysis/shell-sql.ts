/** The statements that make a run's views in any DuckDB: a shell, Python, R. Timestamps are shown in UTC. */
import { join } from 'node:path';
import { type Table, tables } from '../schemas/tables.ts';
import { currentParts, readRunFolder, type RunFolder } from './run-folder.ts';
import { createView, quoteText, viewBody } from './views.ts';

/** With the run's folder named once, and every path from there: a copy of the run needs no more than that one path changed. */
export async function shellSql(runFolder: string): Promise<string> {
  const run = await readRunFolder(runFolder);
  // The setting's value is a list.
  if (run.folder.includes(',')) return textOf(viewsFrom(run, (path) => join(run.folder, path)));
  return textOf([`SET file_search_path = ${quoteText(run.folder)}`, ...viewsFrom(run, (path) => path)]);
}

/** As `shellSql`, for a DuckDB that is started in the run's folder, wherever that lies. */
export const folderViews = async (runFolder: string): Promise<string> => textOf(viewsFrom(await readRunFolder(runFolder), (path) => path));

const textOf = (statements: readonly string[]): string =>
  ["SET TimeZone = 'UTC'", ...statements].map((statement) => `${statement};\n`).join('');

const viewsFrom = (run: RunFolder, place: (path: string) => string): string[] =>
  Object.values(tables).map((table: Table) => createView(table, viewBody(table, filesOf(run, table.name).map(place))));

/** A table's folder has each row once, so that a pattern stays right when parts are added. Runs of version 0.1 keep older parts there. */
function filesOf({ manifest }: RunFolder, table: string): string[] {
  const current = currentParts(manifest, table);
  const isPlain = current.every(({ path }) => path.startsWith(`${table}/`));
  const isAll = isPlain && current.length === manifest.parts.filter((part) => part.table === table).length;
  return isAll && current.length > 0 ? [`${table}/**/*.parquet`] : current.map(({ path }) => path);
}
