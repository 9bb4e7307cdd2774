/** The runs of a folder, as `gc` looks at them and removes them. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { ownerLock } from '../catalog/owner-lock.ts';
import { readManifest } from '../manifest-file.ts';
import { ledgerPath } from '../run-paths.ts';
import { diskUse } from './disk-use.ts';
import { isOpenElsewhere } from './open-elsewhere.ts';
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

async function looked(place: string, id: string): Promise<LookedRun> {
  const run = { id, place, manifest: null };
  if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
    return { ...run, fault: 'is a link, and what it leads to is not in this directory: remove both by hand' };
  try {
    return { ...run, manifest: await readManifest(place), fault: null };
  } catch (error) {
    return { ...run, fault: unreadable(error) };
  }
}
