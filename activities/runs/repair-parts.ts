/** Rebuilds damaged or missing parts from the ledger: a page's rows are a pure function of plan and ledger. */
import { counted } from '../../domain/counted.ts';
import { CorruptionError } from '../../domain/errors.ts';
import type { TableName } from '../../schemas/tables.ts';
import { pageRows } from '../rows/page-rows.ts';
import { clearSpent } from '../compact/exchange.ts';
import { rebuiltMerged } from '../compact/rebuild.ts';
import { stageTable } from '../record.ts';
import type { Run } from './opened/run.ts';
import { writeTablesOfRun } from '../rows/run-tables.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { publishManifest } from '../storage/manifest.ts';
import { publishStaged } from '../storage/parts/publish-staged.ts';
import { viewsName } from '../storage/run-paths.ts';

export interface Repair {
  /** Paths of parts that were rebuilt with identical bytes, and segments and `views.sql` that were written again. */
  readonly restored: readonly string[];
  /**
   * Paths of parts that were replaced by ones with other bytes: a late reply may have changed the rows of `calls`
   * since. And of segments whose parts are listed in other files now.
   */
  readonly replaced: readonly string[];
  /** Parts that cannot be rebuilt, each with the reason. */
  readonly lost: readonly string[];
}

/** Call as the run's owner. Parts that the ledger can no longer reproduce are listed as lost. */
export async function repairParts(run: Run, damaged: readonly PartRecord[]): Promise<Repair> {
  const lists: Lists = { restored: [], replaced: [], lost: [] };
  const ofPages = Map.groupBy(damaged, ({ page }) => page);
  for (const [page, parts] of ofPages) {
    if (page === 'run') continue;
    try {
      const fresh = await (parts[0]?.pages === undefined ? repairPage(run, page, parts) : repairMerged(run, parts));
      lists.restored.push(...parts.flatMap(({ path }) => (fresh.has(path) ? [] : [path])));
      lists.replaced.push(...fresh);
    } catch (error) {
      lists.lost.push(...parts.map(({ path }) => `${path}: ${(error as Error).message}`));
    }
  }
  await publishManifest(run.home, run.ledger);
  await clearSpent(run);
  const ofRun = ofPages.get('run') ?? [];
  if (ofRun.length > 0) await repairRunTables(run, ofRun, lists);
  return lists;
}

/** Returns the paths of parts that now have other bytes. */
async function repairPage(run: Run, pageName: string, parts: readonly PartRecord[]): Promise<ReadonlySet<string>> {
  const page = run.page(pageName);
  const rows = await pageRows(page);
  const made = parts.map((part) => ({
    part,
    staged: stageTable(page, part.table as TableName, rows[part.table as TableName] ?? []),
  }));
  const fresh = made.filter(({ part, staged }) => staged.record.sha256 !== part.sha256);
  await publishStaged(
    run.home.parts,
    made.map(({ staged }) => staged),
    async (records) => (fresh.length === 0 ? [] : run.ledger.replaceParts(await run.ledger.currentEpoch(), records)),
  );
  return new Set(fresh.map(({ part }) => part.path));
}

/** Returns the paths of merged parts that now have other bytes. */
async function repairMerged(run: Run, parts: readonly PartRecord[]): Promise<ReadonlySet<string>> {
  const made = await rebuiltMerged(run, parts);
  const fresh = made.filter(({ part, staged }) => staged.record.sha256 !== part.sha256);
  const damaged = fresh.map(({ part }) => part);
  const records = fresh.map(({ staged }) => staged.record);
  await publishStaged(
    run.home.parts,
    made.map(({ staged }) => staged),
    async () => run.ledger.exchangeParts(await run.ledger.currentEpoch(), damaged, records),
  );
  return new Set(damaged.map(({ path }) => path));
}

interface Lists {
  readonly restored: string[];
  readonly replaced: string[];
  readonly lost: string[];
}

/** Tables of the whole run are derived from all pages, so one lost part makes them lost too. */
async function repairRunTables(
  run: Run,
  parts: readonly PartRecord[],
  { restored, replaced, lost }: Lists,
): Promise<void> {
  try {
    if (lost.length > 0) throw new Error('it is derived from all pages, and some of them are lost');
    await writeTablesOfRun(run, await run.ledger.currentEpoch());
    const current = new Set((await run.ledger.parts()).map(({ path }) => path));
    for (const { path } of parts)
      (current.has(path) && run.home.parts.isInPlace(path) ? restored : replaced).push(path);
  } catch (error) {
    lost.push(...parts.map(({ path }) => `${path}: ${(error as Error).message}`));
  }
}

/** Rebuilds parts before anything is spent, or refuses the run. */
export async function repairOrRefuse(run: Run, damaged: readonly PartRecord[]): Promise<Repair> {
  const repair = await repairParts(run, damaged);
  refuseLost(run.home.folder, repair);
  return repair;
}

/** Throws `CorruptionError` if a part is lost. */
export function refuseLost(runFolder: string, { lost }: Repair): void {
  if (lost.length === 0) return;
  const more = lost.length === 1 ? '' : `, and ${lost.length - 1} more`;
  throw new CorruptionError(
    runFolder,
    `the ledger lacks the data of some parts: ${lost[0]}${more}`,
    'restore the folder from a backup',
  );
}

/** One line for a person; null if nothing was rebuilt. */
export function repairText({ restored, replaced }: Repair): string | null {
  const parts = [...restored, ...replaced].filter((path) => path !== viewsName).length;
  const texts = [
    ...(parts === 0 ? [] : [`rebuilt ${counted(parts, 'damaged or missing table file')} from the ledger`]),
    ...(restored.includes(viewsName) ? [`wrote ${viewsName} again, which was damaged or missing`] : []),
  ];
  return texts.length === 0 ? null : texts.join('; ');
}
