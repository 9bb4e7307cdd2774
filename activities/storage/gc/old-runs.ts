/** Runs that `gc` may remove, by name and age. */
import pLimit from 'p-limit';
import { counted } from '../../../domain/counted.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import type { Collection, Found } from './removable.ts';
import { inUse, type RunKeeper } from './run-keeper.ts';

export interface WantedRuns {
  /** All runs of the store. */
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
const atATime = 8;

export async function oldRuns(keeper: RunKeeper, wanted: WantedRuns): Promise<Collection> {
  const limit = pLimit(atATime);
  const runs = await Promise.all(wanted.ids.map((id) => limit(() => keeper.look(id))));
  const needed = reusedBy(runs.flatMap(({ id, manifest }) => (manifest === null ? [] : [{ id, manifest }])));
  const removable: Collection['removable'][number][] = [];
  const kept: Found[] = [];
  for (const { id, place, manifest, fault } of runs.filter((run) => wanted.isWanted(run.id))) {
    const ageMs = manifest === null ? null : wanted.nowMs - Date.parse(manifest.updatedAt);
    if (ageMs !== null && wanted.olderThanMs !== null && ageMs < wanted.olderThanMs) continue;
    const found = { kind: 'run', name: id, path: place, bytes: await keeper.bytes(id) } as const;
    const owned = fault === null && (await keeper.ownership(id).isOwned()) ? inUse : null;
    const obstacle = fault ?? owned ?? obstacleIn(manifest, wanted) ?? needed.get(id) ?? null;
    if (obstacle !== null) kept.push({ ...found, why: obstacle });
    else removable.push({ ...found, why: whyOld(manifest, ageMs), remove: () => removeRun(keeper, id, wanted) });
  }
  return { removable, kept };
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

/** Why the state of a run keeps it, null if it does not. */
function obstacleIn(manifest: Manifest | null, { incomplete }: WantedRuns): string | null {
  if (incomplete || manifest?.moved?.ended === true) return null;
  if (manifest?.moved !== undefined)
    return `its move to ${manifest.moved.to} has not ended: repeat the move, or remove it with --incomplete`;
  if (manifest?.arriving !== undefined)
    return `is being moved here from ${manifest.arriving.from}: repeat the move, or remove it with --incomplete`;
  return manifest?.state === 'complete' ? null : 'is not complete, and can be resumed: --incomplete removes it';
}

function whyOld(manifest: Manifest | null, ageMs: number | null): string {
  const state = manifest?.moved === undefined ? stateOf(manifest) : `moved to ${manifest.moved.to}`;
  return `${state}, unchanged for ${counted(Math.max(0, Math.floor((ageMs ?? 0) / dayMs)), 'day')}`;
}

const stateOf = (manifest: Manifest | null): string => (manifest?.state === 'complete' ? 'complete' : 'not complete');

/** Two at once: one removes it, and for the other it is gone. */
async function removeRun(keeper: RunKeeper, id: string, wanted: WantedRuns): Promise<string | null> {
  try {
    const obstacle = await removeOwned(keeper, id, wanted);
    return obstacle === null || (await keeper.isGone(id)) ? null : obstacle;
  } catch (error) {
    if (await keeper.isGone(id)) return null;
    throw error;
  }
}

/** As the run's owner, so that nobody can continue it meanwhile. */
async function removeOwned(keeper: RunKeeper, id: string, wanted: WantedRuns): Promise<string | null> {
  const owned = await keeper.ownership(id).take();
  if (owned === null) return inUse;
  try {
    const { manifest, fault } = await keeper.look(id);
    return fault ?? obstacleIn(manifest, wanted) ?? (await keeper.remove(id));
  } finally {
    await owned.release();
  }
}
