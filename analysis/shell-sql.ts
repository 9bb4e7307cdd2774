import { readRunFolder } from './run-folder.ts';
import { viewStatements } from './views.ts';

/** The statements that make a run's views in any DuckDB (a shell, Python, R), with absolute paths. Timestamps are shown in UTC. */
export async function shellSql(...runFolders: readonly string[]): Promise<string> {
  const runs = await Promise.all(runFolders.map(readRunFolder));
  return ["SET TimeZone = 'UTC'", ...viewStatements(runs)].map((statement) => `${statement};\n`).join('');
}
