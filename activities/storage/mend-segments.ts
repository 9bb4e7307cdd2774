/** Makes damaged or missing segments of a run's manifest again: the ledger lists the same parts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestSegment } from '../../schemas/manifest.ts';
import type { MendedSegments } from './home/run-home.ts';
import { readMendable, segmentNames, writeManifest } from './manifest-file.ts';
import { openRunLedger } from './run-ledger.ts';

/** @param named files that the manifest names now */
export function mendedSegments(damaged: readonly ManifestSegment[], named: ReadonlySet<string>): MendedSegments {
  const files = damaged.map(({ file }) => file);
  return { restored: files.filter((file) => named.has(file)), replaced: files.filter((file) => !named.has(file)) };
}

/** Call as the run's owner. A part that is not in its place is listed once it is rebuilt. */
export async function mendSegments(runFolder: string): Promise<MendedSegments> {
  const { manifest, damaged } = readMendable(runFolder);
  if (damaged.length === 0) return mendedSegments([], new Set());
  const ledger = await openRunLedger(runFolder, manifest);
  try {
    await ledger.withManifestLock(async () => {
      const listed = new Set(manifest.parts.map(({ path }) => path));
      const known = await ledger.parts();
      const parts = known.filter(({ path }) => listed.has(path) || existsSync(join(runFolder, path)));
      writeManifest(runFolder, { ...manifest, parts, updatedAt: new Date().toISOString() }, damaged);
    });
  } finally {
    await ledger.close();
  }
  return mendedSegments(damaged, segmentNames(runFolder));
}
