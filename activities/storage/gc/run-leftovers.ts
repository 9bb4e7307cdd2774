/** Files in the folders of complete runs that no table needs any more. */
import { relative } from 'node:path';
import { isSuperseded, pathBefore } from '../../../domain/part-paths.ts';
import { counted } from '../../../domain/counted.ts';
import { readManifest } from '../manifest-file.ts';
import { ownerLock } from '../catalog/owner-lock.ts';
import { isUnfinished } from '../parts/settle-parts.ts';
import { ledgerPath } from '../run-paths.ts';
import { below } from './disk-use.ts';
import { isOpenElsewhere } from './open-elsewhere.ts';
import { type Removable, removed, removeRest } from './removable.ts';

/**
 * Replaced tables and half-written files of a run. Empty for one that is not complete: `resume` itself puts its files
 * in order.
 */
export async function runLeftovers(folder: string, id: string): Promise<Removable[]> {
  const files = (await ownerLock(folder).isOwned()) ? [] : await leftoversIn(folder);
  if (files.length === 0) return [];
  return [
    {
      kind: 'orphan',
      name: `files of run ${id}`,
      path: folder,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      why: `${counted(files.length, 'replaced or half-written file')} of a complete run`,
      remove: () => removeAsOwner(folder),
    },
  ];
}

interface Leftover {
  readonly at: string;
  readonly bytes: number;
}

/** A replaced part counts until the manifest no longer lists it under its first name. */
async function leftoversIn(folder: string): Promise<Leftover[]> {
  const manifest = await readManifest(folder).catch(() => null);
  if (manifest?.state !== 'complete') return [];
  const listed = new Set(manifest.parts.map(({ path }) => path));
  return [...below(folder)].flatMap(({ at, stats }) => {
    const path = relative(folder, at);
    const isLeft = isSuperseded(path) ? !listed.has(pathBefore(path)) : isUnfinished(path);
    return stats.isFile() && isLeft ? [{ at, bytes: stats.blocks * 512 }] : [];
  });
}

async function removeAsOwner(folder: string): Promise<string | null> {
  const owned = await ownerLock(folder).take();
  if (owned === null) return 'a process works on the run';
  try {
    if (isOpenElsewhere(ledgerPath(folder))) return 'a process works on the run';
    const files = await leftoversIn(folder);
    return removed(() => {
      for (const { at } of files) removeRest(at);
    });
  } finally {
    await owned.release();
  }
}
