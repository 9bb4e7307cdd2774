/** Stops and budgets. Control actions are stored as rows, so that they outlive every process; the newest row counts. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Budget, Control, RunStop, Stop } from '../control.ts';
import { nanoUsd } from './totals.ts';
import type { Totals } from './totals.ts';

type StopReasonToSet = Parameters<Control['setStop']>[1];

export function setStop(db: LedgerDatabase, model: string | null, reason: StopReasonToSet, detail: string): void {
  db.sql('insert into control (model, reason, detail, at_ms) values (?, ?, ?, ?)').run(
    model,
    reason,
    detail,
    Date.now(),
  );
}

/** The stop in force for a model: the whole run's, else its own; null if there is none. */
export const stopOf = (db: LedgerDatabase, model: string): Stop | null => newestStop(db, null) ?? newestStop(db, model);

/** The row that stops the whole run, and its detail; null if nothing does. */
export function runStop(db: LedgerDatabase): RunStop | null {
  const row = db.sql('select id, reason, detail from control where model is null order by id desc limit 1').get();
  if (row === undefined || row['reason'] === null) return null;
  return { id: Number(row['id']), detail: String(row['detail']) };
}

function newestStop(db: LedgerDatabase, model: string | null): Stop | null {
  const row = db.sql('select reason, detail from control where model is ? order by id desc limit 1').get(model);
  return row === undefined || row['reason'] === null ? null : (row as unknown as Stop);
}

/** Every stop in force; model `*` is the whole run. */
export const stopsInForce = (db: LedgerDatabase): { model: string; reason: string; detail: string }[] =>
  db
    .sql(
      `select coalesce(model, '*') as model, reason, detail from control
       where id in (select max(id) from control group by model) and reason is not null order by 1`,
    )
    .all() as { model: string; reason: string; detail: string }[];

export function setBudget(totals: Totals, budget: Budget): void {
  totals.budgetNanoUsd = budget.usd === null ? null : nanoUsd(budget.usd);
  totals.budgetTokens = budget.tokens === null ? null : BigInt(budget.tokens);
}
