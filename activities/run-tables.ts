/** The tables of the whole run: what it was made of, and what follows from all its pages. */
import { writeRunTables } from './record.ts';
import { modelRows, settingRows, suiteRows, taskRows } from './run-rows.ts';
import type { Run } from './runs.ts';

/** Every page that is sealed has its parts in the manifest. Throws `FencedError` for an old epoch. */
export async function writeTablesOfRun(run: Run, epoch: number): Promise<void> {
  const revision = run.revisions.at(-1)?.revision ?? 1;
  const models = await modelRows(run);
  await writeRunTables(run, epoch, revision, { models, settings: settingRows(run), tasks: taskRows(run), suites: suiteRows(run) });
  // Loaded by the process that needs it: DuckDB takes forty megabytes.
  const { analyze } = await import('./analyze.ts');
  await analyze(run, epoch, revision);
}
