/** What SQLite's and the system's errors about the files of a run mean to a person. */
import { CorruptionError, InputError } from '../../domain/errors.ts';

/** A ledger that is gone or an older one: going on with it would ask and pay again for what was answered. */
export const lostLedger = (path: string, rule: string, otherwise?: string): CorruptionError =>
  new CorruptionError(path, rule, ['put ledger.sqlite and its -wal back from a copy', otherwise].filter(Boolean).join(', '));

const sqlite = { error: 1, permission: 3, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

/** The kind of an error of SQLite's: the low byte of its code, the others say where. Null for any other error. */
function kindOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : null;
}

const isKind = (error: unknown, kinds: readonly number[]): error is Error => kinds.includes(kindOf(error) ?? -1);

/** What SQLite says of a file whose bytes make no sense, or that it may not write, in words of ours; any other error as it is. */
export function ledgerFault(error: unknown, path: string): unknown {
  if (isKind(error, [sqlite.corrupt, sqlite.notADatabase])) return new CorruptionError(path, error.message);
  return isKind(error, [sqlite.permission, sqlite.readOnly, sqlite.cannotOpen]) ? notWritable(path, error) : error;
}

const notWritable = (path: string, error: Error): InputError =>
  new InputError(
    `cannot be written (${error.message}): copy the folder to a place that can be written, and name that with --runs-dir or EVENKEEL_RUNS`,
    { file: path },
  );

/** As `ledgerFault`, of a ledger that is being opened: what SQLite has against statements that are always right is the file's fault. */
export function openingFault(error: unknown, path: string): unknown {
  if (isKind(error, [sqlite.error])) return new CorruptionError(path, error.message);
  if (!isKind(error, [sqlite.inputOutput, sqlite.full])) return ledgerFault(error, path);
  return new InputError(`cannot be used (${error.message}): its disk is full, or damaged; free some space there and try again`, {
    file: path,
  });
}

/** As `ledgerFault`, of a file that serves as a lock only. */
export function lockFault(error: unknown, path: string): unknown {
  if (!isKind(error, [sqlite.corrupt, sqlite.notADatabase])) return ledgerFault(error, path);
  const remedy = 'it holds nothing: when no evenkeel works on this folder any more, remove it and give the same command again';
  return new CorruptionError(path, `is a lock, which is an empty SQLite file, got other bytes (${error.message})`, remedy);
}
