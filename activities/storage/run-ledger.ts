/** Opens the ledger of a run that continues, after checking that the manifest was written from it. */
import { existsSync } from 'node:fs';
import type { Manifest } from '../../schemas/manifest.ts';
import { lostLedger, orStart } from './files/corruption.ts';
import type { Ledger } from './ledger/ledger.ts';
import { partsOf } from './manifest.ts';
import { unknownParts } from './parts/unknown-parts.ts';
import { lockPath } from './catalog/owner-lock.ts';
import { ledgerPath } from './run-paths.ts';
import { openLedger } from './ledger/sqlite/sqlite-ledger.ts';

/** Throws `CorruptionError` if the ledger is missing, or lacks data that the run already had. */
export async function openRunLedger(runFolder: string, manifest: Manifest): Promise<Ledger> {
  const ledger = openLedger(ledgerPath(runFolder));
  try {
    await refuseOlder(runFolder, manifest, ledger);
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Refuses an older ledger, such as one without its -wal. It may have more than the manifest, since a crash may come
 * between the two.
 */
async function refuseOlder(runFolder: string, manifest: Manifest, ledger: Ledger): Promise<void> {
  const [missing] = manifest.parts.length === 0 ? [] : unknownParts(manifest, await partsOf(ledger));
  if (missing !== undefined) throw lostLedger(ledgerPath(runFolder), missing, orStart);
  if (lacksPlan(runFolder, manifest, (await ledger.progress()).pages.total))
    throw lostLedger(ledgerPath(runFolder), noPlan, orStart);
}

export const noPlan = 'the ledger of a started run must have the pages of its plan, this one has none';

/** The pages are in the ledger durably before any process first owns the run. @param pages of the ledger */
export const lacksPlan = (runFolder: string, { plan }: Manifest, pages: number): boolean =>
  pages === 0 && plan.length > 0 && existsSync(lockPath(runFolder));
