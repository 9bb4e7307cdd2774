/**
 * Prepares a run to continue from its folder: removes its seal and copies replies that were added to its recordings.
 */
import type { Manifest } from '../../schemas/manifest.ts';
import { refuseOtherVersions } from './run-versions.ts';
import { type FreshRecording, freshRecordings, isThere, putFresh, rememberedFiles, withFresh } from './recordings.ts';
import { runBlobs } from '../storage/blobs/run-blobs.ts';
import { unsealLedger } from '../storage/seals.ts';
import { withoutLedgerSeal } from '../storage/ledger/sqlite/ledger-seal.ts';
import { updateManifest } from '../storage/manifest.ts';

export interface PreparedRun {
  readonly manifest: Manifest;
  /** Recordings with added replies, which the run now has. */
  readonly grown: readonly FreshRecording[];
  /** Missing original files of recordings: the run continues with its copies. */
  readonly missing: readonly string[];
}

/**
 * Throws InputError if a recording has changes other than added lines, CorruptionError if a sealed ledger has changed.
 */
export async function prepareToContinue(folder: string, run: Manifest): Promise<PreparedRun> {
  refuseOtherVersions(run);
  const { replays } = run;
  const files = [...rememberedFiles(folder, replays)];
  const grown = await freshRecordings(folder, replays, new Map(files.filter(([, file]) => isThere(file))));
  // Before anything is stored, so that a ledger that does not match its seal is refused, and nothing changes.
  await unsealLedger(folder);
  await putFresh(runBlobs(folder), grown);
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    replays: withFresh(old.replays, grown),
  }));
  return { manifest, grown, missing: [...new Set(files.flatMap(([, file]) => (isThere(file) ? [] : [file])))] };
}
