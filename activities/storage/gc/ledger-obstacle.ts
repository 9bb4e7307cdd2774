/** Whether the ledger of a run keeps `gc` from its files. */
import { ledgerPath } from '../run-paths.ts';
import { isOpenElsewhere } from './open-elsewhere.ts';
import { inUse } from './run-keeper.ts';

/** Why the ledger keeps the run, null if it does not. A disk that cannot be written does not tell. */
export function ledgerObstacle(place: string): string | null {
  try {
    return isOpenElsewhere(ledgerPath(place)) ? inUse : null;
  } catch (error) {
    if (!(error instanceof Error && 'errcode' in error)) throw error;
    return `its ledger cannot be opened, so it is not known whether a process works on it (${error.message})`;
  }
}
