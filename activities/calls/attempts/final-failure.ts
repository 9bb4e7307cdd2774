import { randomUUID } from 'node:crypto';
import type { Ledger } from '../../storage/ledger/ledger.ts';
import { finalFailuresPrefix } from '../../storage/ledger/uncounted.ts';

/** For `progress`: a call that failed and is not sent again. @param failure as the ledger keeps it */
export async function noteFinalFailure(ledger: Pick<Ledger, 'saveFact'>, failure: string): Promise<void> {
  const [reason = failure] = failure.split(':', 1);
  await ledger.saveFact(`${finalFailuresPrefix}${randomUUID()}`, JSON.stringify({ reason }));
}
