/** Calls of a run on PostgreSQL that brought no reply, by the attempts at a step before the present one. */
import type { FailedAttempt } from '../../ledger/call-book.ts';
import type { Fence } from '../../ledger/fence.ts';
import type { Postgres } from '../postgres.ts';
import { fromStored } from './texts.ts';

/** As the library wants rows: a type, no interface. */
type FailedRow = FailedAttempt['key'] & Omit<FailedAttempt, 'key'>;

export async function failedBefore(
  database: Postgres,
  run: number,
  page: string,
  { unit, epoch, attempt }: Fence,
): Promise<FailedAttempt[]> {
  const rows = await database.query<FailedRow>(
    `select cell, step, loop, ask, sample, cardinality(calls) as samples, failure from intent
     where page = (select id from plan_page where run = $1 and page = $2) and state in ('failed', 'lost')
       and unit = $3 and epoch = $4 and attempt < $5 order by id`,
    [run, page, unit, epoch, attempt],
  );
  return rows.map(({ samples, failure, ...key }) => ({ key, samples, failure: fromStored(failure) }));
}
