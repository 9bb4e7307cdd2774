import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { newPostgresStore } from './on-postgres.ts';

let store: Promise<string> | undefined;
let runs = 0;

/** The address of a new run's ledger, for `openLedgerAt`. All runs of a file share one store, and its worker's role. */
export async function newRunAddress(): Promise<string> {
  store ??= newPostgresStore('ek_worker');
  runs += 1;
  return runIn(await store, `run-${runs}`);
}

/** Makes a run without a manifest. */
async function runIn(address: string, run: string): Promise<string> {
  const database = openPostgres(address);
  await database.query('insert into run (id, place, manifest) values ($1, $2, $3)', [run, `runs/${run}`, '']);
  await database.close();
  return `${address}#${run}`;
}
