/** The tables of a ledger: made in a new file, brought to this program's format in an older one. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { InputError } from '../../domain/errors.ts';
import { lostLedger } from './corruption.ts';
import { ledgerFormat, ledgerTables, ledgerUpgrades } from './ledger-schema.ts';
import { unsealForChange } from './ledger-seal.ts';
import { rollback } from './ledger-transactions.ts';
import { isOfRun } from './run-paths.ts';

export function createTables(database: DatabaseSync, path: string): void {
  database.exec('begin immediate');
  try {
    const exists = database.prepare("select 1 from sqlite_schema where name = 'meta'").get() !== undefined;
    if (exists) upgrade(database, path);
    else if (isOfRun(path)) throw lostLedger(path, "a run's ledger has its tables, got a file without them");
    else database.exec(ledgerTables);
    database.exec('commit');
  } catch (error) {
    rollback(database);
    throw error;
  }
}

/** Brings an older ledger to this program's format. The transaction that it is in is the run's lock. */
function upgrade(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (!Number.isInteger(format)) throw lostLedger(path, 'a ledger says its format, this one says none');
  if (!(format >= 1 && format <= ledgerFormat))
    throw new InputError(
      `ledger format ${format}; this program reads format ${ledgerFormat}: update it (npm install -g evenkeel@latest) and try again`,
      { file: path },
    );
  if (format < ledgerFormat && isOfRun(path)) unsealForChange(dirname(path));
  for (const statements of ledgerUpgrades.slice(format - 1)) database.exec(statements);
}

const formatOf = (database: DatabaseSync): number =>
  Number(database.prepare("select value from meta where name = 'format'").get()?.['value']);

export function refuseOlderFormat(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (format === ledgerFormat) return;
  throw new InputError(
    `ledger format ${format}, and it cannot be written; this program reads format ${ledgerFormat}: copy the run folder to a place that can be written`,
    { file: path },
  );
}
