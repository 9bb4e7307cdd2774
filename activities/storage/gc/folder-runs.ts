/** The runs of a folder, as `gc` looks at them and removes them. */
import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownerLock } from '../catalog/owner-lock.ts';
import { isWritable } from '../files/is-writable.ts';
import { readManifest } from '../manifest-file.ts';
import { ledgerPath } from '../run-paths.ts';
import { diskUse } from './disk-use.ts';
import { isOpenElsewhere, isStopped, openedBy } from './open-elsewhere.ts';
import { removed, removeWhole } from './removable.ts';
import { inUse, type LookedRun, type RunKeeper, unreadable } from './run-keeper.ts';
import { runLeftovers } from './run-leftovers.ts';

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

/** Why the ledger keeps the run, null if it does not. A disk that cannot be written does not tell. */
function ledgerObstacle(place: string): string | null {
  try {
    return isOpenElsewhere(ledgerPath(place)) ? inUse : null;
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    return `its ledger cannot be opened, so it is not known whether a process works on it (${error.message})`;
  }
}

/** Which process has the ledger open, such as a worker that outlived its owner; null if none is known. */
function holderOf(ledger: string): string | null {
  const pid = openedBy(ledger);
  if (pid === null) return null;
  if (!isStopped(pid)) return `${inUse} (process ${pid} has its ledger open)`;
  return `${inUse}: process ${pid} has its ledger open and is stopped; let it go on (kill -CONT ${pid}) or end it`;
}

/** Why nothing can be removed here, null if it can. */
function unwritable(place: string): string | null {
  const folder = [place, dirname(place)].find((one) => !isWritable(one));
  return folder === undefined
    ? null
    : `cannot be removed: ${folder} is read-only for you (its disk, or the rights of the folder)`;
}

async function looked(place: string, id: string): Promise<LookedRun> {
  const run = { id, place, manifest: null };
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    return { ...run, fault: 'is a link, and what it leads to is not in this directory: remove both by hand' };
  try {
    return { ...run, manifest: await readManifest(place), fault: holderOf(ledgerPath(place)) ?? unwritable(place) };
  } catch (error) {
    return { ...run, fault: unreadable(error) };
  }
}
