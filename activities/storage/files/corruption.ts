/** Translates errors of SQLite and the system about the files of a run into messages for users. */
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CorruptionError, InputError } from '../../../domain/errors.ts';
import { fileSizeLimit, fileSizeNote } from './own-limits.ts';

/** The error for a missing or older ledger: continuing with it would ask and pay again for stored answers. */
export const lostLedger = (path: string, rule: string, otherwise?: string): CorruptionError =>
  new CorruptionError(path, rule, [restoreLedger, otherwise].filter(Boolean).join(', '));

const restoreLedger = 'restore ledger.sqlite and its -wal from a backup';
export const orStart = 'or start another run';
/** For a ledger that nothing can be read from. */
export const ledgerRemedy = `${restoreLedger}, ${orStart}`;

export const missingLedger = (path: string): CorruptionError =>
  lostLedger(path, 'a run must have a ledger, this file is missing');

const sqlite = {
  error: 1,
  permission: 3,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** The kind of an SQLite error: the low byte of its code; the other bytes give details. Null for any other error. */
function kindOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
}

const isKind = (error: unknown, kinds: readonly number[]): error is Error => kinds.includes(kindOf(error) ?? -1);

/**
 * The user's message for a damaged or read-only file, or one that a limit of the shell keeps small; any other error
 * unchanged.
 */
export function ledgerFault(error: unknown, path: string, limit = fileSizeLimit()): unknown {
  if (isKind(error, [sqlite.corrupt, sqlite.notADatabase])) return new CorruptionError(path, error.message);
  if (isKind(error, [sqlite.cannotOpen]) && bytesOf(path) > longestPath) return tooLong(path);
  // SQLite has no code for a file that would be too large.
  if (isKind(error, [sqlite.inputOutput]) && isAtLimit(path, limit))
    return new InputError(`cannot be written (${error.message}): ${fileSizeNote(limit)}`, { file: path });
  return isKind(error, [sqlite.permission, sqlite.readOnly, sqlite.cannotOpen]) ? notWritable(path, error) : error;
}

/** Whether one of its files is as large as it may be: a write fills it to the limit, and adds up to 64 KiB. */
const isAtLimit = (path: string, limit: number): boolean =>
  ['', '-wal', '-shm', '-journal'].some(
    (end) => (statSync(`${path}${end}`, { throwIfNoEntry: false })?.size ?? 0) + 65_536 >= limit,
  );

/** Bytes of the longest absolute path that SQLite opens: 512 with its "-journal". */
const longestPath = 504;

/** Of the absolute path, as it is given and behind all links. */
const bytesOf = (path: string): number =>
  Math.max(...[resolve(path), behindLinks(path)].map((one) => Buffer.byteLength(one)));

function behindLinks(path: string): string {
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

const tooLong = (path: string): InputError =>
  new InputError(
    `the path has ${bytesOf(path)} bytes, and SQLite opens files with at most ${longestPath}: choose a runs ` +
      'directory with a shorter path (--runs-dir or EVENKEEL_RUNS)',
    { file: path },
  );

const notWritable = (path: string, error: Error): InputError =>
  new InputError(
    `cannot be written (${error.message}): if its disk is full, free some space there; else copy the folder to a ` +
      'writable place, and set --runs-dir or EVENKEEL_RUNS to it',
    { file: path },
  );

/** SQLite reports a full disk, and a damaged one, in either way. */
export const isWithoutRoom = (error: unknown): error is Error => isKind(error, [sqlite.inputOutput, sqlite.full]);

/**
 * Like `ledgerFault`, for a ledger that is being opened: an SQL error then means a damaged file,
 * since the statements are correct.
 */
export function openingFault(error: unknown, path: string, limit = fileSizeLimit()): unknown {
  if (isKind(error, [sqlite.error])) return new CorruptionError(path, error.message);
  if (!isWithoutRoom(error)) return ledgerFault(error, path);
  const shell = isAtLimit(path, limit) ? `${fileSizeNote(limit)}; or ` : '';
  return new InputError(
    `cannot be used (${error.message}): ${shell}its disk is full or damaged; free some space there and try again`,
    { file: path },
  );
}

/** Like `ledgerFault`, for a file that is only a lock. */
export function lockFault(error: unknown, path: string): unknown {
  if (!isKind(error, [sqlite.corrupt, sqlite.notADatabase])) return ledgerFault(error, path);
  const remedy =
    'the file holds no data: when no evenkeel process uses this folder, remove it and run the same command again';
  return new CorruptionError(
    path,
    `must be an empty SQLite file (a lock), but has other content (${error.message})`,
    remedy,
  );
}
