/** Accepts that replies are missing, and notes in the ledger how many: no sum of money knows what they cost. */
import { randomUUID } from 'node:crypto';
import { acceptedLossesPrefix } from '../../noted-facts.ts';
import { openLedger } from '../sqlite-ledger.ts';
import { acceptLosses } from './tally.ts';

/** Resolves to how many replies were missing. Rejects with `CorruptionError` if no resume can make up for them. */
export async function acceptAndNote(path: string): Promise<number> {
  const replies = acceptLosses(path);
  if (replies === 0) return 0;
  const ledger = openLedger(path);
  try {
    await ledger.saveFact(`${acceptedLossesPrefix}${randomUUID()}`, JSON.stringify({ replies }));
  } finally {
    await ledger.close();
  }
  return replies;
}
