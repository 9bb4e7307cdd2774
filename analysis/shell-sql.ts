/** The statements that make a run's views in any DuckDB: a shell, Python, R. Timestamps are shown in UTC. */
import { type Table, tables } from '../schemas/tables.ts';
import { currentParts, readRunFolder, type RunFolder } from './run-folder.ts';
import { createView, quoteText, viewBody, viewStatements } from './views.ts';

/** With the run's folder named once, and every path from there: for a copy of the run only that one path changes. */
export async function shellSql(runFolder: string): Promise<string> {
  const run = await readRunFolder(runFolder);
  // The setting's value is a list.
  if (run.folder.includes(',')) return textOf(viewStatements([run]));
  return textOf([`SET file_search_path = ${quoteText(run.folder)}`, ...viewsFrom(run, listedFiles)]);
}

/**
 * For a DuckDB that is started in the run's folder, wherever that lies. A table's folder has each row once, so that a pattern stays right when parts
 * are added; it takes whatever lies there.
 */
export const folderViews = async (runFolder: string): Promise<string> => textOf(viewsFrom(await readRunFolder(runFolder), patterns));

const textOf = (statements: readonly string[]): string =>
  ["SET TimeZone = 'UTC'", ...statements].map((statement) => `${statement};\n`).join('');

type Files = (run: RunFolder, table: string) => string[];

const viewsFrom = (run: RunFolder, files: Files): string[] =>
  Object.values(tables).map((table: Table) => createView(table, viewBody(table, files(run, table.name))));

const listedFiles: Files = ({ manifest }, table) => currentParts(manifest, table).map(({ path }) => path);
const patterns: Files = ({ manifest }, table) => (currentParts(manifest, table).length > 0 ? [`${table}/**/*.parquet`] : []);
