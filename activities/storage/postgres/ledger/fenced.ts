/** Fences of a run, locked for share until the transaction ends: whoever takes over waits for it. */
import { type Fence, FencedError } from '../../ledger/fence.ts';
import type { Query } from '../postgres.ts';

/**
 * Throws `FencedError` if a newer attempt or owner acts.
 * @param what it cannot do then: `seal a page`
 */
export async function refuseOldFence(query: Query, run: number, fence: Fence, what: string): Promise<void> {
  const { unit, epoch, attempt } = fence;
  const found = await query(
    `select 1 from run_epoch join unit using (run, epoch)
     where run = $1 and epoch = $2 and unit.unit = $3 and attempt = $4 for share`,
    [run, epoch, unit, attempt],
  );
  if (found.length === 0)
    throw new FencedError(`${unit} attempt ${attempt} of epoch ${epoch} cannot ${what}: a newer attempt is active`);
}

/** Throws `FencedError` if the run is at another epoch. */
export async function refuseOldEpoch(query: Query, run: number, epoch: number): Promise<void> {
  const [now] = await query<{ readonly epoch: number }>('select epoch from run_epoch where run = $1 for share', [run]);
  if (now?.epoch !== epoch)
    throw new FencedError(`epoch ${epoch} may not replace tables of the run, which is now at epoch ${now?.epoch}`);
}
