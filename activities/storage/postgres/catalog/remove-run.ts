/** Removes a run from a store on servers: its rows. Its objects stay, below a key that nothing names any more. */
import { faultPoint } from '../../files/fault-point.ts';
import type { Postgres } from '../postgres.ts';

/** All tables that have rows of runs. The run itself goes last: until then a repeated removal finds it. */
const tables = [
  ...['sample', 'reply', 'live_call', 'batch_line', 'batch_page', 'failed_intent', 'intent', 'batch', 'call'],
  ...['page_answers', 'lane_spend', 'plan_page', 'lane', 'unit', 'verdict', 'verdict_shared', 'reference', 'fact'],
  ...['part', 'merged_page', 'spent_part', 'control', 'ended_without_reply', 'result_total', 'run_total', 'run_epoch'],
];
/** Rows of one statement, so that none takes too long. */
const atOnce = 20_000;

export async function removeRun(database: Postgres, id: string): Promise<void> {
  const [row] = await database.query<{ readonly number: number }>('select number from run where id = $1', [id]);
  if (row === undefined) return;
  for (const table of tables) {
    faultPoint();
    await emptied(database, table, row.number);
  }
  await database.query('delete from run where id = $1', [id]);
}

async function emptied(database: Postgres, table: string, run: number): Promise<void> {
  const sql = `delete from ${table} where ctid = any (array(select ctid from ${table} where run = $1 limit ${atOnce}))
    returning 1`;
  while ((await database.query(sql, [run])).length > 0);
}
