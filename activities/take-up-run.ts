/** A run before it goes on from its folder: its seal is taken off, and replies that were added to its recordings are taken in. */
import type { Manifest } from '../schemas/manifest.ts';
import { refuseOtherVersions } from './run-versions.ts';
import { type FreshRecording, freshRecordings, isThere, rememberedFiles, withFresh } from './recordings.ts';
import { withoutLedgerSeal } from './storage/ledger-seal.ts';
import { updateManifest } from './storage/manifest.ts';

export interface TakenUp {
  readonly manifest: Manifest;
  /** Recordings to which replies were added, which the run now has. */
  readonly grown: readonly FreshRecording[];
  /** Files that recordings were taken from and that are there no more: the run goes on with its copies. */
  readonly missing: readonly string[];
}

/** Throws InputError where a recording is more than an addition to the run's copy, CorruptionError where a sealed ledger has changed. */
export async function takeUpRun(folder: string, run: Manifest): Promise<TakenUp> {
  refuseOtherVersions(run);
  const { replays } = run;
  const files = [...rememberedFiles(folder, replays)];
  const grown = await freshRecordings(folder, replays, new Map(files.filter(([, file]) => isThere(file))));
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    replays: withFresh(folder, old.replays, grown),
  }));
  return { manifest, grown, missing: [...new Set(files.flatMap(([, file]) => (isThere(file) ? [] : [file])))] };
}
