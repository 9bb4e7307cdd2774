/** The ledger of a run that goes on, once it is sure that it is the one its manifest was written from. */
import { existsSync } from 'node:fs';
import type { Manifest } from '../../schemas/manifest.ts';
import { lostLedger } from './corruption.ts';
import type { Ledger } from './ledger.ts';
import { unknownParts } from './manifest.ts';
import { lockPath } from './ownership.ts';
import { ledgerPath } from './run-paths.ts';
import { openLedger } from './sqlite-ledger.ts';

/** Throws `CorruptionError` where the ledger is gone, and where it lacks what the run had in it already. */
export function openRunLedger(runFolder: string, manifest: Manifest): Ledger {
  const ledger = openLedger(ledgerPath(runFolder));
  try {
    refuseOlder(runFolder, manifest, ledger);
    return ledger;
  } catch (error) {
    ledger.close();
    throw error;
  }
}

/** A ledger without its -wal is such an older one. It may know more than the manifest: a crash comes between the two. */
function refuseOlder(runFolder: string, manifest: Manifest, ledger: Ledger): void {
  const [missing] = unknownParts(manifest, ledger);
  if (missing !== undefined) throw lostLedger(ledgerPath(runFolder), missing);
  // The pages are durable in the ledger before anybody becomes the run's owner for the first time.
  if (manifest.plan.length > 0 && existsSync(lockPath(runFolder)) && ledger.progress().pages.total === 0)
    throw lostLedger(ledgerPath(runFolder), 'a run that was begun has the pages of its plan in the ledger, got none');
}
