/** The runs of a folder, as `gc` looks at them and removes them. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownerLock } from '../catalog/owner-lock.ts';
import { readManifest } from '../manifest-file.ts';
import { ledgerPath } from '../run-paths.ts';
import { diskUse } from './disk-use.ts';
import { ledgerObstacle } from './ledger-obstacle.ts';
import { isStopped, openedBy } from './open-elsewhere.ts';
import { removed, removeWhole } from './removable.ts';
import { inUse, type LookedRun, type RunKeeper, unreadable } from './run-keeper.ts';
import { runLeftovers } from './run-leftovers.ts';
import { unwritable } from './unwritable.ts';

export function folderRuns(runsDir: string): RunKeeper {
  const placeOf = (id: string): string => join(runsDir, id);
  return {
    look: (id) => looked(placeOf(id), id),
    bytes: async (id) => diskUse(placeOf(id))?.bytes ?? 0,
    ownership: (id) => ownerLock(placeOf(id)),
    isGone: async (id) => lstatSync(placeOf(id), { throwIfNoEntry: false }) === undefined,
    // Workers of a killed owner hold the ledger open.
    remove: async (id) => ledgerObstacle(placeOf(id)) ?? removed(() => removeWhole(placeOf(id))),
    leftovers: (id) => runLeftovers(placeOf(id), id),
  };
}

/** Which process has the ledger open, such as a worker that outlived its owner; null if none is known. */
function holderOf(ledger: string): string | null {
  const pid = openedBy(ledger);
  if (pid === null) return null;
  if (!isStopped(pid)) return `${inUse} (process ${pid} has its ledger open)`;
  return `${inUse}: process ${pid} has its ledger open and is stopped; let it go on (kill -CONT ${pid}) or end it`;
}

async function looked(place: string, id: string): Promise<LookedRun> {
  const run = { id, place, manifest: null };
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    return { ...run, fault: 'is a link, and what it leads to is not in this directory: remove both by hand' };
  try {
    return {
      ...run,
      manifest: await readManifest(place),
      fault: holderOf(ledgerPath(place)) ?? unwritable([place, dirname(place)]),
    };
  } catch (error) {
    return { ...run, fault: unreadable(error) };
  }
}
