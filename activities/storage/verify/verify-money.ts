/** Checks a ledger's totals against its calls. */
import type { DatabaseSync } from 'node:sqlite';
import { counted } from '../../../domain/counted.ts';
import { impossibleUsage } from '../ledger/sqlite/ledger-schema.ts';
import { callNanoUsd } from '../ledger/sqlite/totals.ts';

/** Reads only; also for ledgers of older formats. */
export const moneyProblems = (database: DatabaseSync): string[] => [
  ...absurdUsage(database),
  ...totalProblems(database),
];

/** Impossible usage that a version accepted which kept no reported usage; the next program that opens it caps it. */
function absurdUsage(database: DatabaseSync): string[] {
  if (keepsReportedUsage(database)) return [];
  const found = database
    .prepare(`select count(*) as n from charge join intent on intent.id = charge.intent where ${impossibleUsage}`)
    .get();
  const calls = Number(found?.['n']);
  if (calls === 0) return [];
  return [
    `ledger: ${counted(calls, 'call')} with impossible usage, recorded by an older version: open the run with resume ` +
      'or status to cap it',
  ];
}

/** Since then usage is capped on arrival: what is in the ledger was believed. */
const keepsReportedUsage = (database: DatabaseSync): boolean =>
  database.prepare("select name from pragma_table_info('charge') where name = 'usage_reported'").all().length > 0;

/** Usage that was capped on arrival. */
export function moneyNotes(database: DatabaseSync): string[] {
  if (!keepsReportedUsage(database)) return [];
  const calls = Number(
    database.prepare('select count(*) as n from charge where usage_reported is not null').get()?.['n'],
  );
  if (calls === 0) return [];
  return [
    `${counted(calls, 'call')} with impossible reported usage: totals are charged at the most that is possible, ` +
      'parts of them left out (calls.usage_reported has what was reported)',
  ];
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
    if (usd !== null)
      sums[basis === 'estimated' ? 'estimated_nano_usd' : 'reported_nano_usd'] += callNanoUsd(Number(usd));
  }
  const totals = database.prepare(`select ${Object.keys(sums).join(', ')} from run`);
  totals.setReadBigInts(true);
  const lanes = laneSums(database);
  return Object.entries(totals.get() ?? {}).flatMap(([name, total]) => {
    const sum = sums[name as keyof Sums];
    const ofLanes = lanes?.[name as keyof Sums] ?? sum;
    return [
      ...(total === sum ? [] : [`ledger: the run's ${name} is ${String(total)}, the sum of its calls is ${sum}`]),
      ...(ofLanes === sum ? [] : [`ledger: the lanes' ${name} is ${ofLanes}, the sum of their calls is ${sum}`]),
    ];
  });
}

/** Undefined for a ledger of an older format, which has none. */
function laneSums(database: DatabaseSync): Sums | undefined {
  if (database.prepare("select 1 from sqlite_schema where name = 'lane_spend'").get() === undefined) return undefined;
  const sums = database.prepare(
    `select coalesce(sum(reported_nano_usd), 0) as reported_nano_usd,
     coalesce(sum(estimated_nano_usd), 0) as estimated_nano_usd, coalesce(sum(tokens), 0) as spent_tokens
     from lane_spend`,
  );
  sums.setReadBigInts(true);
  return sums.get() as unknown as Sums;
}
