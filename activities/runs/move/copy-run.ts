/** Copies a run that no process works on to another store, which then has its files and its whole ledger. */
import type { Manifest } from '../../../schemas/manifest.ts';
import type { RunCatalog } from '../../storage/catalog/run-catalog.ts';
import type { RunHome } from '../../storage/home/run-home.ts';
import type { PartRecord } from '../../storage/ledger/records.ts';
import { copyFiles, filesOfRun } from './run-files.ts';

/**
 * Throws `InputError` if a run has that name there, `CorruptionError` for a damaged file.
 * @param marked the copy's manifest, from the run's without what is of its place
 */
export async function copyRun(
  id: string,
  home: RunHome,
  to: RunCatalog,
  marked: (manifest: Manifest) => Manifest = (manifest) => manifest,
): Promise<void> {
  const manifest = await home.manifest();
  const parts = await partsOf(home, manifest);
  const isToServers = to.home(id).isOnServers;
  await to.receive(
    id,
    async (files) => {
      await copyFiles(home.blobs, files, filesOfRun(manifest, parts));
      return marked(withoutPlace(manifest, isToServers));
    },
    () => home.dumpLedger(),
  );
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
