/** What waits in batches, for `status` and the progress line. */
import type { WaitingBatches } from '../../ledger-counts.ts';
import type { LedgerDatabase } from '../ledger-transactions.ts';

export function waitingBatches(db: LedgerDatabase): WaitingBatches[] {
  const calls = db
    .sql(
      `select answering_model as answeringModel, count(*) as calls, min(started_at_ms) as sinceMs from intent
       where state = 'batched' group by 1 order by 1`,
    )
    .all() as unknown as Pick<WaitingBatches, 'answeringModel' | 'calls' | 'sinceMs'>[];
  return calls.map((waiting) => {
    const row = db
      .sql(
        `select count(*) as batches, coalesce(sum(answered), 0) as answered, max(fault) as fault from batch
         where answering_model = ? and state != 'ended'`,
      )
      .get(waiting.answeringModel);
    const fault = row?.['fault'];
    return {
      ...waiting,
      batches: Number(row?.['batches']),
      answered: Number(row?.['answered']),
      fault: fault == null ? null : String(fault),
    };
  });
}
