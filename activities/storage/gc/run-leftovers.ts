/** Files in the folders of complete runs that no table needs any more. */
import { dirname, relative } from 'node:path';
import { isSuperseded, pathBefore } from '../../../domain/part-paths.ts';
import { counted } from '../../../domain/counted.ts';
import { readManifest } from '../manifest-file.ts';
import { ownerLock } from '../catalog/owner-lock.ts';
import { isUnfinished } from '../parts/settle-parts.ts';
import { below } from './disk-use.ts';
import { ledgerObstacle } from './ledger-obstacle.ts';
import { type Collection, removed, removeRest } from './removable.ts';
import { inUse } from './run-keeper.ts';
import { unwritable } from './unwritable.ts';

/**
 * Replaced tables and half-written files of a run. Empty for one that is not complete: `resume` itself puts its files
 * in order.
 */
export async function runLeftovers(folder: string, id: string): Promise<Collection> {
  const files = (await ownerLock(folder).isOwned()) ? [] : await leftoversIn(folder);
  if (files.length === 0) return { removable: [], kept: [] };
  const bytes = files.reduce((sum, { bytes: of }) => sum + of, 0);
  const found = { kind: 'orphan', name: `files of run ${id}`, path: folder, bytes } as const;
  // The folder itself is written to as well: its locks are taken first.
  const obstacle = unwritable(new Set([folder, ...files.map(({ at }) => dirname(at))]));
  if (obstacle !== null) return { removable: [], kept: [{ ...found, why: obstacle }] };
  const why = `${counted(files.length, 'replaced or half-written file')} of a complete run`;
  return { removable: [{ ...found, why, remove: () => removeAsOwner(folder) }], kept: [] };
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
  if (owned === null) return inUse;
  try {
    const obstacle = ledgerObstacle(folder);
    if (obstacle !== null) return obstacle;
    const files = await leftoversIn(folder);
    return removed(() => {
      for (const { at } of files) removeRest(at);
    });
  } finally {
    await owned.release();
  }
}
