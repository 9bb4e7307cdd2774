/** The versions of a store's tables. A program works with its own version only. */
import type { ClientBase } from 'pg';
import { InputError } from '../../../../domain/errors.ts';
import { accountTables } from './accounts.ts';
import { detachedSweeps } from './detached.ts';
import { acceptReplies } from './ledger/accept-replies.ts';
import { callTables } from './ledger/call-tables.ts';
import { planChanges } from './ledger/plan-changes.ts';
import { reserveCalls } from './ledger/reserve-calls.ts';
import { resultTables } from './ledger/result-tables.ts';
import { saveResults } from './ledger/save-results.ts';
import { settleCalls } from './ledger/settle-calls.ts';
import { runNumbers, withoutEarlyCalls } from './numbers.ts';
import { runTables } from './runs.ts';
import { storeId } from './store-id.ts';

/** One a version, in order: never changed once published, only added to. */
export const migrations: readonly string[] = [
  accountTables,
  runTables,
  runNumbers,
  [
    ...[withoutEarlyCalls, callTables, resultTables],
    ...[settleCalls, reserveCalls, acceptReplies, planChanges, saveResults],
  ].join(''),
  storeId,
  detachedSweeps,
];

/** Throws `InputError` if the store has no tables, or those of another version. */
export async function checkVersion(client: ClientBase, name: string, schema: string): Promise<void> {
  const version = await versionOf(client, schema);
  if (version < migrations.length)
    throw new InputError(
      `${name}: its tables have version ${version}, and this program needs ${migrations.length}; ` +
        'run `evenkeel store prepare` as a role that may create tables',
    );
  if (version > migrations.length) throw newer(name, version);
}

export const newer = (name: string, version: number): InputError =>
  new InputError(
    `${name}: its tables have version ${version}, and this program knows only versions to ${migrations.length}; ` +
      'use the program that prepared the store, or a newer one',
  );

/** 0 for a store without tables. */
export async function versionOf(client: ClientBase, schema: string): Promise<number> {
  const found = await client.query<{ readonly is: boolean }>('select to_regclass($1) is not null as is', [
    `${schema}.migration`,
  ]);
  if (found.rows[0]?.is !== true) return 0;
  const { rows } = await client.query<{ readonly version: number }>(
    'select coalesce(max(version), 0)::int as version from migration',
  );
  return rows[0]?.version ?? 0;
}
