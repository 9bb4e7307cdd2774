/** Who owns a run on PostgreSQL, and what stops it. */
import type { Control, Stop } from '../../ledger/control.ts';
import type { Postgres } from '../postgres.ts';
import { checkedUsd } from './charges.ts';
import { fromStored, toStored } from './texts.ts';

interface ControlRow {
  readonly id: string;
  readonly reason: Stop['reason'] | null;
  readonly detail: string;
}

export function control(database: Postgres, run: number): Control {
  const newest = async (model: string | null): Promise<ControlRow | null> => {
    const rows = await database.query<ControlRow>(
      `select id, reason, detail from control where run = $1 and model is not distinct from $2
       order by id desc limit 1`,
      [run, model],
    );
    return rows[0] === undefined || rows[0].reason === null ? null : rows[0];
  };
  return {
    takeOver: (owner) => takeOver(database, run, owner),
    async currentEpoch() {
      const [row] = await database.query<{ readonly epoch: number }>('select epoch from run_epoch where run = $1', [
        run,
      ]);
      return row?.epoch ?? 0;
    },
    async setStop(model, reason, detail) {
      const sql = 'insert into control (run, model, reason, detail) values ($1, $2, $3, $4)';
      await database.transaction((query) => query(sql, [run, model, reason, toStored(detail)]));
    },
    async stopOf(model) {
      const row = (await newest(null)) ?? (await newest(model));
      return row?.reason == null ? null : { reason: row.reason, detail: fromStored(row.detail) };
    },
    async runStop() {
      const row = await newest(null);
      return row === null ? null : { id: Number(row.id), detail: fromStored(row.detail) };
    },
    async setBudget({ usd, tokens }) {
      const sql = 'update run_total set budget_nano_usd = $2, budget_tokens = $3 where run = $1';
      await database.query(sql, [run, usd === null ? null : String(BigInt(Math.round(checkedUsd(usd) * 1e9))), tokens]);
    },
  };
}

const takeOver = (database: Postgres, run: number, owner: string): Promise<number> =>
  database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock(manifest_lock($1))', [run]);
    const [row] = await query<{ readonly epoch: number }>(
      'update run_epoch set epoch = epoch + 1, owner = $2 where run = $1 returning epoch',
      [run, owner],
    );
    await query('select lose_open($1, null)', [run]);
    return row?.epoch ?? 0;
  });
