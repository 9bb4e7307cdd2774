/** What waits in batches, for `status` and the progress line. */
import type { WaitingBatches } from '../../../ledger/ledger-counts.ts';
import type { Query } from '../../postgres.ts';
import { fromStored } from '../texts.ts';

export async function waitingBatches(query: Query, run: number): Promise<WaitingBatches[]> {
  const rows = await query<{ [Field in keyof WaitingBatches]: WaitingBatches[Field] }>(
    `select answering_model as "answeringModel", calls::float8 as calls, floor(since_ms)::float8 as "sinceMs", open.*
     from (
       select answering_model, count(*) as calls, min(extract(epoch from started_at) * 1000) as since_ms
       from batch_line where run = $1 group by answering_model
     ) as waiting
     cross join lateral (
       select count(*)::float8 as batches, coalesce(sum(answered), 0)::float8 as answered, max(fault) as fault
       from batch where run = $1 and answering_model = waiting.answering_model and state <> 'ended'
     ) as open order by answering_model collate "C"`,
    [run],
  );
  return rows.map((row) => ({ ...row, fault: fromStored(row.fault) }));
}
