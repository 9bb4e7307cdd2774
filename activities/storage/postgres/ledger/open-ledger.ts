/** The ledger of a run on PostgreSQL, with the interfaces of `../../ledger/`. */
import { InputError } from '../../../../domain/errors.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Postgres } from '../postgres.ts';
import { batchBook } from './batch-book.ts';
import { callBook } from './call-book.ts';
import { closable } from './closable.ts';
import { control } from './control.ts';
import { counts } from './counts/counts.ts';
import { pageReader } from './page-reader.ts';
import { partBook } from './parts/part-book.ts';
import { plan } from './plan.ts';
import { results as resultsOf } from './results.ts';

/**
 * Any number of processes on any hosts may have it open. `close` leaves the database open, which is its opener's.
 * Throws `InputError` if the store has no such run.
 */
export async function openPostgresLedger(database: Postgres, runId: string): Promise<Ledger> {
  const run = await numberOf(database, runId);
  await database.query(
    `with epoch as (insert into run_epoch (run) values ($1) on conflict do nothing),
       results as (insert into result_total (run) values ($1) on conflict do nothing)
     insert into run_total (run) values ($1) on conflict do nothing`,
    [run],
  );
  const results = resultsOf(database, run);
  return closable({
    ...callBook(database, run),
    ...batchBook(database, run),
    ...pageReader(database, run),
    ...results,
    ...plan(database, run),
    ...control(database, run),
    ...partBook(database, run),
    ...counts(database, run, results),
  });
}

/** By which rows name the run. Throws `InputError` if the store has no such run. */
export async function numberOf(database: Postgres, runId: string): Promise<number> {
  const [row] = await database.query<{ readonly number: number }>('select number from run where id = $1', [runId]);
  if (row === undefined) throw new InputError(`no run "${runId}" in ${database.name}`);
  return row.number;
}
