/** Runs that `gc` may remove, by name and age. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { readManifest } from '../manifest-file.ts';
import { ownerLock } from '../catalog/owner-lock.ts';
import { ledgerPath } from '../run-paths.ts';
import { diskUse } from './disk-use.ts';
import { isOpenElsewhere } from './open-elsewhere.ts';
import { type Collection, type Found, removed, removeWhole } from './removable.ts';

export interface WantedRuns {
  readonly runsDir: string;
  /** All runs of the directory. */
  readonly ids: readonly string[];
  /** Whether a run was asked for. */
  readonly isWanted: (id: string) => boolean;
  /** Only runs that have not changed for this long, milliseconds; null for any age. */
  readonly olderThanMs: number | null;
  /** Also runs that are not complete, and so could still be resumed. */
  readonly incomplete: boolean;
  readonly nowMs: number;
}

const dayMs = 24 * 3_600_000;

export async function oldRuns(wanted: WantedRuns): Promise<Collection> {
  const runs = await Promise.all(wanted.ids.map((id) => looked(join(wanted.runsDir, id), id)));
  const needed = reusedBy(runs.flatMap(({ id, manifest }) => (manifest === null ? [] : [{ id, manifest }])));
  const removable: Collection['removable'][number][] = [];
  const kept: Found[] = [];
  for (const run of runs.filter(({ id }) => wanted.isWanted(id))) {
    const ageMs = run.manifest === null ? null : wanted.nowMs - Date.parse(run.manifest.updatedAt);
    if (ageMs !== null && wanted.olderThanMs !== null && ageMs < wanted.olderThanMs) continue;
    const found = { kind: 'run', name: run.id, path: run.folder, bytes: diskUse(run.folder)?.bytes ?? 0 } as const;
    const owned = run.fault === null && (await ownerLock(run.folder).isOwned()) ? inUse : null;
    const obstacle = run.fault ?? owned ?? obstacleIn(run.manifest, wanted) ?? needed.get(run.id) ?? null;
    if (obstacle !== null) kept.push({ ...found, why: obstacle });
    else
      removable.push({
        ...found,
        why: whyOld(run.manifest, ageMs),
        remove: () => removeRun(run.folder, run.id, wanted),
      });
  }
  return { removable, kept };
}

interface LookedRun {
  readonly id: string;
  readonly folder: string;
  readonly manifest: Manifest | null;
  /** Why it is not a run that can be removed. */
  readonly fault: string | null;
}

async function looked(folder: string, id: string): Promise<LookedRun> {
  const run = { id, folder, manifest: null };
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    return { ...run, fault: 'is a link, and what it leads to is not in this directory: remove both by hand' };
  try {
    return { ...run, manifest: await readManifest(folder), fault: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ...run, fault: `cannot be read, so its state is not known (${reason}): remove it by hand` };
  }
}

/** Runs whose answers an unfinished run still takes over, with the reason why they stay. */
function reusedBy(runs: readonly { readonly id: string; readonly manifest: Manifest }[]): ReadonlyMap<string, string> {
  const unfinished = runs.filter(({ manifest }) => manifest.state !== 'complete');
  return new Map(
    unfinished.flatMap(({ id, manifest }) =>
      manifest.spec.reuse.map((run) => [run, `run "${id}", which is not complete, reuses its answers`] as const),
    ),
  );
}

const inUse = 'a process works on it';

/** Why the state of a run keeps it, null if it does not. */
const obstacleIn = (manifest: Manifest | null, { incomplete }: WantedRuns): string | null =>
  incomplete || manifest?.state === 'complete' ? null : 'is not complete, and can be resumed: --incomplete removes it';

const whyOld = (manifest: Manifest | null, ageMs: number | null): string =>
  `${manifest?.state === 'complete' ? 'complete' : 'not complete'}, unchanged for ` +
  counted(Math.floor((ageMs ?? 0) / dayMs), 'day');

/** Two at once: one removes it, and for the other it is gone. */
async function removeRun(folder: string, id: string, wanted: WantedRuns): Promise<string | null> {
  const isGone = (): boolean => lstatSync(folder, { throwIfNoEntry: false }) === undefined;
  try {
    const obstacle = await removeOwned(folder, id, wanted);
    return obstacle === null || isGone() ? null : obstacle;
  } catch (error) {
    if (isGone()) return null;
    throw error;
  }
}

/** As the run's owner, so that nobody can continue it meanwhile; workers of a killed owner hold the ledger open. */
async function removeOwned(folder: string, id: string, wanted: WantedRuns): Promise<string | null> {
  const owned = await ownerLock(folder).take();
  if (owned === null) return inUse;
  try {
    const { manifest, fault } = await looked(folder, id);
    const obstacle = fault ?? obstacleIn(manifest, wanted);
    if (obstacle !== null) return obstacle;
    return isOpenElsewhere(ledgerPath(folder)) ? inUse : removed(() => removeWhole(folder));
  } finally {
    await owned.release();
  }
}
