/** Removes a run from a store on servers: first its name, in one step; then its rows and its objects. */
import pLimit from 'p-limit';
import { blobsBelow } from '../../blobs/blobs-below.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { faultPoint } from '../../files/fault-point.ts';
import type { Postgres } from '../postgres.ts';

/** All tables that have rows of runs. That of epochs goes last: by it rows without a run are found. */
const tables = [
  ...['sample', 'reply', 'live_call', 'batch_line', 'batch_page', 'failed_intent', 'intent', 'batch', 'call'],
  ...['page_answers', 'lane_spend', 'plan_page', 'lane', 'unit', 'verdict', 'verdict_shared', 'reference', 'fact'],
  ...['part', 'merged_page', 'spent_part', 'control', 'ended_without_reply', 'result_total', 'run_total', 'run_epoch'],
];
/** Rows of one statement, so that none takes too long. */
const atOnce = 20_000;
const objectsAtOnce = 8;

/**
 * Does nothing if there is none. After a kill nothing finds the run any more, and `gc` finds what is left of it.
 * @param blobs of all runs
 */
export async function removeRun(database: Postgres, blobs: BlobStore, id: string): Promise<void> {
  const [row] = await database.query<{ readonly number: number; readonly place: string }>(
    'delete from run where id = $1 returning number, place',
    [id],
  );
  if (row === undefined) return;
  await removeRows(database, row.number);
  const own = blobsBelow(blobs, row.place);
  await removeObjects(
    own,
    (await own.list('')).map(({ key }) => key),
  );
}

/** @param number of a run whose name was removed */
export async function removeRows(database: Postgres, number: number): Promise<void> {
  for (const table of tables) {
    faultPoint();
    await emptied(database, table, number);
  }
}

async function emptied(database: Postgres, table: string, run: number): Promise<void> {
  const sql = `delete from ${table} where ctid = any (array(select ctid from ${table} where run = $1 limit ${atOnce}))
    returning 1`;
  while ((await database.query(sql, [run])).length > 0);
}

export async function removeObjects(blobs: BlobStore, keys: readonly string[]): Promise<void> {
  const limit = pLimit(objectsAtOnce);
  await Promise.all(
    keys.map((key) =>
      limit(() => {
        faultPoint();
        return blobs.remove(key);
      }),
    ),
  );
}
