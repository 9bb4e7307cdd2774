/**
 * Counts the replies that a ledger had on disk, in a separate file. SQLite reads its log up to the first invalid frame
 * and ignores the rest; a flipped bit there would silently drop paid replies, and they would be paid for again.
 */
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../../../../domain/ids.ts';
import { lostLedger } from '../../files/corruption.ts';

const tallyPath = (ledger: string): string => join(dirname(ledger), 'ledger.tally');

const lineOf = (replies: number): string => {
  const text = `replies ${String(replies).padStart(15, '0')}`;
  return `${text} ${sha256(text).slice(0, 8)}\n`;
};

/** Null if the tally is missing (runs of version 0.1 have none) or damaged. */
function talliedReplies(ledger: string): number | null {
  const line = tallyText(ledger);
  const replies = Number(line?.slice('replies '.length, 'replies '.length + 15));
  return line === lineOf(replies) ? replies : null;
}

function tallyText(ledger: string): string | null {
  try {
    return readFileSync(tallyPath(ledger), 'latin1');
  } catch {
    return null;
  }
}

export const isTallyDamaged = (ledger: string): boolean =>
  tallyText(ledger) !== null && talliedReplies(ledger) === null;

export interface Tally {
  /**
   * Records the number of replies on disk. One small write without waiting: after a power cut the number may be too
   * low, never too high.
   */
  note(replies: number): void;
  close(): void;
}

export function createTally(ledger: string): Tally {
  let descriptor: number | null = null;
  let noted = 0;
  return {
    note: (replies) => {
      if (replies <= noted) return;
      descriptor ??= openToWrite(tallyPath(ledger));
      writeSync(descriptor, lineOf(replies), 0);
      noted = replies;
    },
    close: () => {
      if (descriptor !== null) closeSync(descriptor);
      descriptor = null;
    },
  };
}

/** Creates the file if it is missing; never truncates it. */
const openToWrite = (path: string): number => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);

/** Ledgers that this process has checked to be complete, with their tallies. */
const found = new Map<string, number>();

/**
 * Throws `CorruptionError` if replies are missing. Call before SQLite opens the ledger for writing, which would delete
 * the rest of the log.
 */
export function refuseLostReplies(ledger: string): void {
  const tallied = talliedReplies(ledger);
  if (tallied === null || tallied <= (found.get(ledger) ?? 0)) return;
  const there = storedReplies(ledger);
  if (there === null) return;
  if (there < tallied) throw lostLedger(ledger, lossText(tallied - there, tallied), goOn);
  found.set(ledger, tallied);
}

const goOn = 'or pay for them again: evenkeel resume RUN --accept-losses';
export const lossText = (lost: number, tallied: number): string =>
  `${lost} of ${tallied} paid replies that were on disk are missing: ` +
  'its log (-wal) was damaged, or it is an older copy';

/** How many replies are missing, of how many; null if none are. */
export function lostReplies(ledger: string): { readonly lost: number; readonly tallied: number } | null {
  const tallied = talliedReplies(ledger);
  const there = tallied === null ? null : storedReplies(ledger);
  return tallied === null || there === null || there >= tallied ? null : { lost: tallied - there, tallied };
}

/** Accepts the current number of replies; also replaces a damaged tally. */
export function acceptLosses(ledger: string): void {
  const there = storedReplies(ledger);
  if (there === null) return;
  const descriptor = openToWrite(tallyPath(ledger));
  writeSync(descriptor, lineOf(there), 0);
  closeSync(descriptor);
}

/** Null if the file cannot be read this way; opening it will report why. */
function storedReplies(ledger: string): number | null {
  let database: DatabaseSync | undefined;
  try {
    // With an empty log, reading leaves no files next to the ledger.
    const log = statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    database = new DatabaseSync(`${pathToFileURL(ledger)}${log === 0 ? '?immutable=1' : ''}`, {
      readOnly: true,
      timeout: 10_000,
    });
    const row = database.prepare('select answered from run').get();
    return row === undefined ? null : Number(row['answered']);
  } catch {
    return null;
  } finally {
    database?.close();
  }
}
