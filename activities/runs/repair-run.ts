/** Repairs a run's damaged parts before it continues, or when the user asks for it. */
import { existsSync } from 'node:fs';
import { InputError } from '../../domain/errors.ts';
import { createAccounts } from '../calls/accounts/accounts.ts';
import { refuseLost, type Repair, repairOrRefuse, repairParts } from './repair-parts.ts';
import type { Run } from './opened/run.ts';
import { createRuns } from './runs.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { PartRecord } from '../storage/ledger/records.ts';
import { isWritable } from '../storage/files/is-writable.ts';
import { publishManifest } from '../storage/manifest.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';
import { ownedText } from '../storage/catalog/run-catalog.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import { writeTablesOfRun } from '../rows/run-tables.ts';
import { writeViews } from '../rows/views-file.ts';
import { viewsName } from '../storage/run-paths.ts';

export interface RunToRepair {
  readonly runsDir: string;
  readonly runId: string;
  readonly uuid: string;
  readonly ledger: Ledger;
}

/**
 * Call as the run's owner, before anything is asked. Ensures that every part is in place and intact, and returns what
 * was rebuilt. Throws `CorruptionError` if the ledger lacks the data of a part.
 */
export async function repairBeforeSweep(taken: RunToRepair): Promise<Repair> {
  const damaged = await runCatalog(taken.runsDir).home(taken.runId).parts.damaged(taken.ledger, false);
  return damaged.length === 0 ? nothingRepaired : withRun(taken, (run) => repairOrRefuse(run, damaged));
}

const nothingRepaired: Repair = { restored: [], replaced: [], lost: [] };

async function withRun<T>({ runsDir, runId, uuid, ledger }: RunToRepair, work: (run: Run) => Promise<T>): Promise<T> {
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  try {
    return await work(await runs.open({ runId, uuid, epoch: await ledger.currentEpoch() }));
  } finally {
    await runs.close();
  }
}

/**
 * `verify --repair`. Throws `InputError` while another process is running the run, and `CorruptionError` if its ledger
 * does not match its seal.
 */
export async function repairRun(runsDir: string, runId: string): Promise<Repair> {
  const catalog = runCatalog(runsDir);
  const home = catalog.home(runId);
  if (!home.isOnServers && existsSync(home.folder) && !isWritable(home.folder))
    throw new InputError('is read-only, and a repair writes there: repair a copy; verify alone only reads', {
      file: home.folder,
    });
  await home.seals.acceptLosses('if the count is damaged');
  const owned = await catalog.ownership(runId).take();
  if (owned === null)
    throw new InputError(
      ownedText(
        runId,
        await home.manifest(),
        'pause it first, or leave it; damaged files are rebuilt at its next start',
      ),
    );
  try {
    return await repairOwned(runsDir, runId, home);
  } finally {
    await owned.release();
    await home.seals.seal();
  }
}

async function repairOwned(runsDir: string, runId: string, home: RunHome): Promise<Repair> {
  const segments = await home.parts.mendSegments();
  // Nothing is made from a ledger that was changed after its seal, and it gets no new one.
  await home.seals.unseal();
  const { restored, replaced, lost } = await withViews(home, await repairFiles(runsDir, runId, home));
  return {
    restored: [...segments.restored, ...restored],
    replaced: [...segments.replaced, ...replaced],
    lost,
  };
}

/** For a finished run: as `repairRun`, but throws `CorruptionError` if the ledger lacks the data of a part. */
export async function repairFinished(runsDir: string, runId: string): Promise<Repair> {
  const repair = await repairRun(runsDir, runId);
  refuseLost(runCatalog(runsDir).home(runId).folder, repair);
  return repair;
}

/** The views name every table that has parts, so they are written after all parts. */
async function withViews(home: RunHome, repair: Repair): Promise<Repair> {
  if (!home.seals.hasBrokenViews(await home.manifest())) return repair;
  if (repair.lost.length > 0)
    return { ...repair, lost: [...repair.lost, `${viewsName}: it needs all tables, and parts of some are lost`] };
  await writeViews(home);
  return { ...repair, restored: [...repair.restored, viewsName] };
}

/** Tables whose computation failed, from what is stored: a newer version may compute them. */
async function deriveMissing(run: Run): Promise<void> {
  await writeTablesOfRun(run, await run.ledger.currentEpoch());
  await writeViews(run.home);
}

async function repairFiles(runsDir: string, runId: string, home: RunHome): Promise<Repair> {
  const manifest = await home.manifest();
  const ledger = await home.openLedger(manifest);
  try {
    const damaged: readonly PartRecord[] = await home.parts.damaged(ledger, true);
    const lacksTables = manifest.missingTables !== undefined && manifest.state === 'complete';
    if (damaged.length > 0 || lacksTables)
      return await withRun({ runsDir, runId, uuid: manifest.uuid, ledger }, async (run) => {
        const repair = await repairParts(run, damaged);
        if (lacksTables && repair.lost.length === 0) await deriveMissing(run);
        return repair;
      });
    if (manifest.parts.length !== (await ledger.parts()).length) await publishManifest(home, ledger);
    return nothingRepaired;
  } finally {
    await ledger.close();
  }
}
