/** The run's single row of totals: epoch, budget, money and counts. Read and written once per transaction. */
import type { SQLOutputValue } from 'node:sqlite';
import type { Sql } from './statement.ts';

/**
 * Mutable within a transaction. USD in whole 1e-9 (`nano`); amounts and tokens are bigints, since sums may exceed what
 * a number holds exactly.
 */
export interface Totals {
  epoch: number;
  owner: string | null;
  budgetNanoUsd: bigint | null;
  budgetTokens: bigint | null;
  reportedNanoUsd: bigint;
  estimatedNanoUsd: bigint;
  unknownUsdCalls: number;
  spentTokens: bigint;
  reservedNanoUsd: bigint;
  reservedTokens: bigint;
  answered: number;
  failed: number;
  lost: number;
  live: number;
  verdicts: number;
  /** Calls whose reported usage was impossible. */
  disbelieved: number;
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
  'disbelieved',
] as const satisfies readonly (keyof Totals)[];

const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const selectText = `select ${columns.map((field) => `${columnName(field)} as ${field}`).join(', ')} from run`;
const updateText = `update run set ${columns.map((field) => `${columnName(field)} = ?`).join(', ')}`;

const sums: ReadonlySet<string> = new Set([
  'budgetNanoUsd',
  'budgetTokens',
  'reportedNanoUsd',
  'estimatedNanoUsd',
  'spentTokens',
  'reservedNanoUsd',
  'reservedTokens',
] satisfies (keyof Totals)[]);

export function loadTotals(sql: Sql): Totals {
  const row = sql(selectText, 'bigint').get() ?? {};
  return Object.fromEntries(
    Object.entries(row).map(([field, value]) => [field, totalOf(field, value)]),
  ) as unknown as Totals;
}

/** A total too large for the column was stored as a floating-point number by older versions. */
function totalOf(field: string, value: SQLOutputValue): bigint | number | string | null {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return value as string | null;
  if (!sums.has(field)) return Number(value);
  return typeof value === 'bigint' ? value : BigInt(Math.round(value));
}

/** Writes only if something changed, so that reading a ledger does not change its bytes. */
export function saveTotals(sql: Sql, old: Totals, totals: Totals): void {
  if (columns.every((field) => old[field] === totals[field])) return;
  sql(updateText).run(...columns.map((field) => storable(totals[field])));
}

const largestInteger = 2n ** 63n - 1n;

/** A sum beyond SQLite's integers is kept to 15 digits. */
const storable = <T>(value: T): T | number =>
  typeof value === 'bigint' && value > largestInteger ? Number(value) : value;

/** Nearest whole 1e-9 USD. Throws on a negative or non-finite amount. */
export function nanoUsd(usd: number): bigint {
  if (!(usd >= 0 && Number.isFinite(usd)))
    throw new RangeError(`an amount in USD must be finite and not negative, got ${usd}`);
  return BigInt(Math.round(usd * 1e9));
}

const largestCharge = BigInt(Number.MAX_SAFE_INTEGER);

/** Cost of one call in 1e-9 USD; capped at nine million dollars. */
export function callNanoUsd(usd: number): bigint {
  const nano = nanoUsd(usd);
  return nano > largestCharge ? largestCharge : nano;
}

export const usdOfNano = (nano: bigint): number => Number(nano) / 1e9;
