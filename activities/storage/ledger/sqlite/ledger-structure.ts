/** Checks that a ledger's file can be read to its end, before a run goes on with it and pays for more answers. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CorruptionError } from '../../../../domain/errors.ts';
import { openingFault } from '../../files/corruption.ts';
import { lockTimeoutMs, readingAddress, refuseLost } from './ledger-database.ts';

/**
 * Throws `CorruptionError` for a file with a damaged page, or without answers that it had. Reads the whole file, and
 * changes none. Ledgers of older formats pass.
 */
export function refuseMalformed(path: string): void {
  refuseLost(path);
  const [address, before] = [readingAddress(path), stateOf(path)];
  const fault = structureFault(address, path);
  if (fault === null) return;
  // Read as a file that nobody changes, but another process has begun to: what was found may be its change.
  if (address !== readingAddress(path) || before !== stateOf(path)) refuseMalformed(path);
  else throw new CorruptionError(path, `database disk image is malformed (${fault})`);
}

function stateOf(path: string): string {
  const { ino, size, mtimeMs } = statSync(path);
  return `${ino} ${size} ${mtimeMs}`;
}

/** What is wrong, as SQLite says it; null if nothing is. */
function structureFault(address: string, path: string): string | null {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(address, { readOnly: true, timeout: lockTimeoutMs });
    const found = Object.values(database.prepare('pragma quick_check(1)').get() ?? {}).join();
    return found === 'ok' ? null : lineOf(found);
  } catch (error) {
    throw openingFault(error, path);
  } finally {
    database?.close();
  }
}

/** What SQLite found, in one line, without the headings, such as "*** in database main ***". */
export const lineOf = (found: string): string =>
  found
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('***'))
    .join('; ') || found;
