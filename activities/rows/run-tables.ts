/** Writes the tables of the whole run: its inputs, and what is derived from all its pages. */
import type { MissingTables } from '../../schemas/manifest.ts';
import { clearSpent, exchange } from '../compact/exchange.ts';
import { derive } from '../derive/derive.ts';
import { isSource } from '../derive/source-tables.ts';
import { writeRunTables } from '../record.ts';
import type { Run } from '../runs/opened/run.ts';
import { studyOf } from '../../studies/index.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { updateManifest } from '../storage/manifest.ts';
import { encodeTables, type TableRows } from '../storage/parts/encoded-tables.ts';
import { modelRows, settingRows, suiteRows, taskRows } from './run-rows.ts';
import { variantOrderRows, variantRows } from './variant-rows.ts';

/**
 * Call when the parts of all sealed pages are in the manifest. Tables whose computation fails are left out, and the
 * manifest says so: the pages have all that they are derived from. Throws `FencedError` for an old epoch.
 */
export async function writeTablesOfRun(run: Run, epoch: number): Promise<void> {
  const revision = run.revisions.at(-1)?.revision ?? 1;
  await writeRunTables(run, epoch, revision, async (take) => {
    encodeTables(await inputRows(run)).forEach(take);
  });
  const order = { tables: await run.home.tables(isSource), folder: run.home.folder };
  const manifest = await run.home.manifest();
  let missing: readonly MissingTables[] = [];
  await writeRunTables(run, epoch, revision, async (take) => {
    missing = await derive(order, manifest, take);
    encodeTables(await variantTables(run)).forEach(take);
  });
  await recordMissing(run, epoch, missing);
}

/** Rows that an earlier revision of the plan had of these tables are outdated, and go. */
async function recordMissing(run: Run, epoch: number, missing: readonly MissingTables[]): Promise<void> {
  const names = new Set(missing.flatMap(({ tables }) => tables));
  const isOutdated = ({ page, table }: PartRecord): boolean => page === 'run' && names.has(table);
  const outdated = names.size === 0 ? [] : (await run.ledger.parts()).filter(isOutdated);
  if (outdated.length > 0) {
    await exchange(run, epoch, outdated, []);
    await clearSpent(run);
  }
  const { missingTables = [] } = await run.home.manifest();
  if (missing.length === 0 && missingTables.length === 0) return;
  await updateManifest(run.home, ({ missingTables: _earlier, ...others }) => ({
    ...others,
    ...(missing.length > 0 && { missingTables: [...missing] }),
  }));
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
