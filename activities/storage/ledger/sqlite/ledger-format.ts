/** Creates the tables of a new ledger, or upgrades an older one to this version's format. */
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { InputError } from '../../../../domain/errors.ts';
import { lostLedger } from '../../files/corruption.ts';
import { ledgerFormat, ledgerTables, ledgerUpgrades } from './ledger-schema.ts';
import { unsealForChange } from './ledger-seal.ts';
import { rollback } from './ledger-transactions.ts';
import { isOfRun } from '../../run-paths.ts';

export function createTables(database: DatabaseSync, path: string): void {
  database.exec('begin immediate');
  try {
    const exists = database.prepare("select 1 from sqlite_schema where name = 'meta'").get() !== undefined;
    if (exists) upgrade(database, path);
    else if (isOfRun(path)) throw lostLedger(path, "a run's ledger must have its tables, this file has none");
    else database.exec(ledgerTables);
    database.exec('commit');
  } catch (error) {
    rollback(database);
    throw error;
  }
}

/** Upgrades an older ledger to this version's format. The surrounding transaction is the run's lock. */
function upgrade(database: DatabaseSync, path: string): void {
  const format = formatOf(database);
  if (!Number.isInteger(format)) throw lostLedger(path, 'a ledger must state its format, this one does not');
  if (!(format >= 1 && format <= ledgerFormat))
    throw new InputError(
      `ledger format ${format}; this program reads format ${ledgerFormat}: update it (npm install -g ` +
        'evenkeel@latest) and try again',
      { file: path },
    );
  if (format < ledgerFormat && isOfRun(path)) unsealForChange(dirname(path));
  for (const statements of ledgerUpgrades.slice(format - 1)) database.exec(statements);
}

const formatOf = (database: DatabaseSync): number =>
  Number(database.prepare("select value from meta where name = 'format'").get()?.['value']);

export function refuseOlderFormat(database: DatabaseSync, path: string, use: 'work' | 'look'): void {
  const format = formatOf(database);
  if (format === ledgerFormat) return;
  const remedy =
    use === 'look'
      ? "and a look changes no file: `evenkeel status` with the run's name upgrades it"
      : 'and cannot upgrade a read-only file: copy the run folder to a writable place';
  throw new InputError(`ledger format ${format}; this program reads format ${ledgerFormat} ${remedy}`, { file: path });
}
