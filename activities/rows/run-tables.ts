/** Writes the tables of the whole run: its inputs, and what is derived from all its pages. */
import { derive } from '../derive/derive.ts';
import { isSource } from '../derive/source-tables.ts';
import { writeRunTables } from '../record.ts';
import type { Run } from '../runs/opened/run.ts';
import { studyOf } from '../../studies/index.ts';
import { encodeTables, type TableRows } from '../storage/parts/encoded-tables.ts';
import { modelRows, settingRows, suiteRows, taskRows } from './run-rows.ts';
import { variantOrderRows, variantRows } from './variant-rows.ts';

/** Call when the parts of all sealed pages are in the manifest. Throws `FencedError` for an old epoch. */
export async function writeTablesOfRun(run: Run, epoch: number): Promise<void> {
  const revision = run.revisions.at(-1)?.revision ?? 1;
  await writeRunTables(run, epoch, revision, async (take) => {
    encodeTables(await inputRows(run)).forEach(take);
  });
  const order = { tables: await run.home.tables(isSource), folder: run.home.folder };
  const manifest = await run.home.manifest();
  await writeRunTables(run, epoch, revision, async (take) => {
    await derive(order, manifest, take);
    encodeTables(await variantTables(run)).forEach(take);
  });
}

const inputRows = async (run: Run): Promise<TableRows> => ({
  models: await modelRows(run),
  settings: settingRows(run),
  tasks: taskRows(run),
  suites: await suiteRows(run),
});

async function variantTables(run: Run): Promise<TableRows> {
  const hasOrder = run.spec.studies.some((study) => studyOf(study).variants?.orderRows !== undefined);
  return {
    ...(hasOrder ? { variant_order: await variantOrderRows(run) } : {}),
    variants: await variantRows(run),
  };
}
