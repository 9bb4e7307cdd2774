/**
 * Prepares a run to continue: removes its seal and copies replies that were added to its recordings.
 */
import type { Manifest } from '../../schemas/manifest.ts';
import { refuseOtherVersions } from './run-versions.ts';
import { type FreshRecording, freshRecordings, isThere, putFresh, rememberedFiles, withFresh } from './recordings.ts';
import type { RunHome } from '../storage/home/run-home.ts';
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
export async function prepareToContinue(home: RunHome, run: Manifest): Promise<PreparedRun> {
  refuseOtherVersions(run);
  const { replays } = run;
  const files = [...rememberedFiles(home, replays)];
  const grown = await freshRecordings(home, replays, new Map(files.filter(([, file]) => isThere(file))));
  // Before anything is stored, so that a ledger that does not match its seal is refused, and nothing changes.
  await home.seals.unseal();
  await putFresh(home.blobs, grown);
  const manifest = await updateManifest(home, (old) => ({
    ...home.seals.without(old),
    replays: withFresh(old.replays, grown),
  }));
  return { manifest, grown, missing: [...new Set(files.flatMap(([, file]) => (isThere(file) ? [] : [file])))] };
}
