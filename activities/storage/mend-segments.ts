/** Makes damaged or missing segments of a run's manifest again: the ledger lists the same parts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readMendable, writeManifest } from './manifest-file.ts';
import { openRunLedger } from './run-ledger.ts';

/**
 * Call as the run's owner. A part that is not in its place is listed once it is rebuilt.
 * @returns the files of the damaged segments; what they listed may now be in others
 */
export async function mendSegments(runFolder: string): Promise<string[]> {
  const { manifest, damaged } = readMendable(runFolder);
  if (damaged.length === 0) return [];
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
  return damaged.map(({ file }) => file);
}
