/** What a ledger's totals say against its own calls. */
import type { DatabaseSync } from 'node:sqlite';
import { beyondBelief } from './ledger-schema.ts';
import { callNanoUsd } from './totals.ts';

/** Reads only, ledgers of older formats too. */
export const moneyProblems = (database: DatabaseSync): string[] => [...absurdUsage(database), ...totalProblems(database)];

/** Believed by the program that wrote it; the next one that opens the ledger bounds it. */
function absurdUsage(database: DatabaseSync): string[] {
  const found = database.prepare(`select count(*) as n from charge join intent on intent.id = charge.intent where ${beyondBelief}`).get();
  const calls = Number(found?.['n']);
  if (calls === 0) return [];
  return [`ledger: ${calls} call(s) with usage that cannot be, from an older version: open the run with resume or status to bound it`];
}

/** Usage that was bounded when it came. A ledger of an older format, which has no such column, has none. */
export function moneyNotes(database: DatabaseSync): string[] {
  const columns = database.prepare("select name from pragma_table_info('charge') where name = 'usage_reported'").all();
  if (columns.length === 0) return [];
  const calls = Number(database.prepare('select count(*) as n from charge where usage_reported is not null').get()?.['n']);
  if (calls === 0) return [];
  return [`${calls} call(s) reported usage that cannot be; they are charged at the most that can (calls.usage_reported has what was said)`];
}

interface Sums {
  reported_nano_usd: bigint;
  estimated_nano_usd: bigint;
  spent_tokens: bigint;
}

function totalProblems(database: DatabaseSync): string[] {
  const sums: Sums = { reported_nano_usd: 0n, estimated_nano_usd: 0n, spent_tokens: 0n };
  for (const { usd, basis, tokens } of database.prepare('select usd, basis, tokens from charge').iterate()) {
    sums.spent_tokens += BigInt(Number(tokens));
    if (usd !== null) sums[basis === 'estimated' ? 'estimated_nano_usd' : 'reported_nano_usd'] += callNanoUsd(Number(usd));
  }
  const totals = database.prepare(`select ${Object.keys(sums).join(', ')} from run`);
  totals.setReadBigInts(true);
  return Object.entries(totals.get() ?? {}).flatMap(([name, total]) => {
    const sum = sums[name as keyof Sums];
    return total === sum ? [] : [`ledger: the run's ${name} is ${String(total)}, its calls come to ${sum}`];
  });
}
