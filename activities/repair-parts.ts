/** Parts that are damaged or gone, made again from the ledger: a page's rows are a pure function of plan and ledger. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { CorruptionError } from '../domain/errors.ts';
import type { TableName } from '../schemas/tables.ts';
import { pageRows } from './page-rows.ts';
import { publishStaged, stageTable } from './record.ts';
import type { Run } from './runs.ts';
import { writeTablesOfRun } from './run-tables.ts';
import { fileSha256 } from './storage/file-sha256.ts';
import type { Ledger, PartRecord } from './storage/ledger.ts';
import { publishManifest } from './storage/manifest.ts';
import { settleParts } from './storage/settle-parts.ts';

export interface Repair {
  /** Paths of parts that were made again with the very bytes that they had. */
  readonly restored: readonly string[];
  /** Of parts in whose place there is one with other bytes: a late reply may have changed its rows of `calls` since. */
  readonly replaced: readonly string[];
  /** Of parts that cannot be made again, each with the reason. */
  readonly lost: readonly string[];
}

/** Moves what a kill left unmoved; gives back the parts that have not their bytes, or are not there. Reads them all: a second per gigabyte. */
export function damagedParts(runFolder: string, ledger: Pick<Ledger, 'parts' | 'supersededParts'>): PartRecord[] {
  const missing = new Set(settleParts(runFolder, ledger).map(({ path }) => path));
  return ledger.parts().filter(({ path, sha256 }) => missing.has(path) || fileSha256(join(runFolder, path)) !== sha256);
}

/** For the run's owner. Nothing is invented: what the ledger cannot tell any more is named as lost. */
export async function repairParts(run: Run, damaged: readonly PartRecord[]): Promise<Repair> {
  const lists: Lists = { restored: [], replaced: [], lost: [] };
  const ofPages = Map.groupBy(damaged, ({ page }) => page);
  for (const [page, parts] of ofPages) {
    if (page === 'run') continue;
    try {
      const fresh = await repairPage(run, page, parts);
      lists.restored.push(...parts.flatMap(({ path }) => (fresh.has(path) ? [] : [path])));
      lists.replaced.push(...fresh);
    } catch (error) {
      lists.lost.push(...parts.map(({ path }) => `${path}: ${(error as Error).message}`));
    }
  }
  await publishManifest(run.folder, run.ledger);
  const ofRun = ofPages.get('run') ?? [];
  if (ofRun.length > 0) await repairRunTables(run, ofRun, lists);
  return lists;
}

/** Gives back the paths of parts that have other bytes now. */
async function repairPage(run: Run, pageName: string, parts: readonly PartRecord[]): Promise<ReadonlySet<string>> {
  const page = run.page(pageName);
  const rows = await pageRows(page);
  const made = parts.map((part) => ({ part, staged: stageTable(page, part.table as TableName, rows[part.table as TableName] ?? []) }));
  const fresh = made.filter(({ part, staged }) => staged.record.sha256 !== part.sha256);
  await publishStaged(
    run.folder,
    made.map(({ staged }) => staged),
    (records) => (fresh.length === 0 ? [] : run.ledger.replaceParts(records)),
  );
  return new Set(fresh.map(({ part }) => part.path));
}

interface Lists {
  readonly restored: string[];
  readonly replaced: string[];
  readonly lost: string[];
}

/** They follow from all pages: one that is lost leaves them lost. */
async function repairRunTables(run: Run, parts: readonly PartRecord[], { restored, replaced, lost }: Lists): Promise<void> {
  try {
    if (lost.length > 0) throw new Error('it is made from all pages, of which some are lost');
    await writeTablesOfRun(run, run.ledger.currentEpoch());
    const current = new Set(run.ledger.parts().map(({ path }) => path));
    for (const { path } of parts) (current.has(path) && existsSync(join(run.folder, path)) ? restored : replaced).push(path);
  } catch (error) {
    lost.push(...parts.map(({ path }) => `${path}: ${(error as Error).message}`));
  }
}

/** Before anything is paid: parts are made again, or the run is refused. */
export async function repairOrRefuse(run: Run, damaged: readonly PartRecord[]): Promise<Repair> {
  const repair = await repairParts(run, damaged);
  if (repair.lost.length === 0) return repair;
  const more = repair.lost.length === 1 ? '' : `, and ${repair.lost.length - 1} more`;
  throw new CorruptionError(
    run.folder,
    `the ledger has not what its parts were made from: ${repair.lost[0]}${more}`,
    'put the folder back from a copy',
  );
}
