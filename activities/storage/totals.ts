/** The run's one row of totals: epoch, budget, money and counts. Read and written once per transaction. */
import type { LedgerDatabase } from './ledger-database.ts';

/** Mutable within a transaction. USD in whole 1e-9 (`nano`). */
export interface Totals {
  epoch: number;
  owner: string | null;
  budgetNanoUsd: number | null;
  budgetTokens: number | null;
  reportedNanoUsd: number;
  estimatedNanoUsd: number;
  unknownUsdCalls: number;
  spentTokens: number;
  reservedNanoUsd: number;
  reservedTokens: number;
  answered: number;
  failed: number;
  lost: number;
  live: number;
  verdicts: number;
}

const columns = [
  'epoch',
  'owner',
  'budgetNanoUsd',
  'budgetTokens',
  'reportedNanoUsd',
  'estimatedNanoUsd',
  'unknownUsdCalls',
  'spentTokens',
  'reservedNanoUsd',
  'reservedTokens',
  'answered',
  'failed',
  'lost',
  'live',
  'verdicts',
] as const satisfies readonly (keyof Totals)[];

const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const selectText = `select ${columns.map((field) => `${columnName(field)} as ${field}`).join(', ')} from run`;
const updateText = `update run set ${columns.map((field) => `${columnName(field)} = ?`).join(', ')}`;

type Sql = LedgerDatabase['sql'];

export function loadTotals(sql: Sql): Totals {
  return sql(selectText).get() as unknown as Totals;
}

/** Writes nothing when nothing has changed, so that only looking at a ledger leaves its bytes as they are. */
export function saveTotals(sql: Sql, old: Totals, totals: Totals): void {
  if (columns.every((field) => old[field] === totals[field])) return;
  sql(updateText).run(...columns.map((field) => totals[field]));
}

/** Nearest whole 1e-9 USD. Throws on a negative or non-finite amount. */
export function nanoUsd(usd: number): number {
  if (!(usd >= 0 && Number.isFinite(usd))) throw new RangeError(`an amount in USD is finite and not negative, got ${usd}`);
  return Math.round(usd * 1e9);
}
