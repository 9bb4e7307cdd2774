/** Writes the tables of the whole run: its inputs, and what is derived from all its pages. */
import { writeRunTables } from '../record.ts';
import { modelRows, settingRows, suiteRows, taskRows } from './run-rows.ts';
import type { Run } from '../runs/runs.ts';

/** Call when the parts of all sealed pages are in the manifest. Throws `FencedError` for an old epoch. */
export async function writeTablesOfRun(run: Run, epoch: number): Promise<void> {
  const revision = run.revisions.at(-1)?.revision ?? 1;
  const models = await modelRows(run);
  await writeRunTables(run, epoch, revision, {
    models,
    settings: settingRows(run),
    tasks: taskRows(run),
    suites: await suiteRows(run),
  });
  // Loaded only where needed: DuckDB takes 40 MB.
  const { analyze } = await import('./analyze.ts');
  await analyze(run, epoch, revision);
}
