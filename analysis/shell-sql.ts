/** SQL that creates a run's views in any DuckDB: shell, Python, R. Timestamps are shown in UTC. */
import { type Table, tables } from '../schemas/tables.ts';
import { currentParts, readRunFolder, type RunFolder, type RunTables } from './run-folder.ts';
import type { View } from './view.ts';
import { createView, quoteText, runsBody, statementOf, viewStatements } from './views.ts';

/**
 * One run's folder is named once, and all other paths are relative: a copy of the run needs only that path changed. The
 * parts of several runs are named with their folders.
 */
export async function shellSql(
  runFolders: RunTables | readonly RunTables[],
  views: readonly View[] = [],
): Promise<string> {
  const runs = await Promise.all([runFolders].flat().map((folder) => readRunFolder(folder)));
  const [run] = runs as [RunFolder];
  // file_search_path is a comma-separated list, so it cannot hold a path with a comma.
  if (runs.length > 1 || run.folder.includes(',')) return textOf(viewStatements(runs, views));
  return textOf([`SET file_search_path = ${quoteText(run.folder)}`, ...viewsFrom(run, listedFiles, views)]);
}

/**
 * For a DuckDB that is started in the run's folder. A table's folder holds each row once, so a file pattern stays valid
 * when parts are added; it reads every file there.
 */
export const folderViews = async (runFolder: string, views: readonly View[] = []): Promise<string> =>
  textOf(viewsFrom(await readRunFolder(runFolder), patterns, views));

const textOf = (statements: readonly string[]): string =>
  ["SET TimeZone = 'UTC'", ...statements].map((statement) => `${statement};\n`).join('');

type Files = (run: RunFolder, table: string) => string[];

const viewsFrom = (run: RunFolder, files: Files, views: readonly View[]): string[] => [
  ...Object.values(tables).map((table: Table) =>
    createView(table, runsBody(table, [{ runId: run.manifest.runId, files: files(run, table.name) }])),
  ),
  ...views.map((view) => statementOf(view, [run])),
];

const listedFiles: Files = ({ manifest }, table) => currentParts(manifest, table).map(({ path }) => path);
const patterns: Files = ({ manifest }, table) =>
  currentParts(manifest, table).length > 0 ? [`${table}/**/*.parquet`] : [];
