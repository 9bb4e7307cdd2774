/** Copies a run that no process works on to another store, which then has its files and its whole ledger. */
import type { Manifest } from '../../../schemas/manifest.ts';
import type { RunCatalog } from '../../storage/catalog/run-catalog.ts';
import { filesOfRun } from '../../storage/files-of-run.ts';
import type { RunHome } from '../../storage/home/run-home.ts';
import type { PartRecord } from '../../storage/ledger/records.ts';
import { copyFiles } from './copy-files.ts';

/**
 * Returns the run's manifest that was copied. Throws `InputError` if a run has that name there, `CorruptionError` for a
 * damaged file.
 * @param arriving the mark of the copy, while nothing may continue it
 */
export async function copyRun(
  id: string,
  home: RunHome,
  to: RunCatalog,
  arriving?: Manifest['arriving'],
): Promise<Manifest> {
  const manifest = await home.manifest();
  const parts = await partsOf(home, manifest);
  const isToServers = to.home(id).isOnServers;
  await to.receive(
    id,
    async (files) => {
      await copyFiles(home.blobs, files, filesOfRun(manifest, parts));
      return { ...withoutPlace(manifest, isToServers), ...(arriving && { arriving }) };
    },
    () => home.dumpLedger(),
  );
  return manifest;
}

async function partsOf(home: RunHome, manifest: Manifest): Promise<readonly PartRecord[]> {
  const ledger = await home.openLedger(manifest);
  try {
    return await ledger.parts();
  } finally {
    await ledger.close();
  }
}

/** Seals are of a folder's files, and the path of a recording is of one machine. */
function withoutPlace({ seals: _seals, replays, ...manifest }: Manifest, isToServers: boolean): Manifest {
  if (!isToServers) return { ...manifest, replays };
  const copies = Object.entries(replays).map(([id, { source: _source, ...copy }]) => [id, copy] as const);
  return { ...manifest, replays: Object.fromEntries(copies) };
}
