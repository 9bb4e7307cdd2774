/**
 * How many replies a ledger has had on disk, kept beside it. SQLite reads its log up to the first frame that is not whole and takes the rest for never
 * written: a flipped bit there would make paid replies vanish without a word, and have them paid again.
 */
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../../domain/ids.ts';
import { lostLedger } from './corruption.ts';

const tallyPath = (ledger: string): string => join(dirname(ledger), 'ledger.tally');

const lineOf = (replies: number): string => {
  const text = `replies ${String(replies).padStart(15, '0')}`;
  return `${text} ${sha256(text).slice(0, 8)}\n`;
};

/** Null where there is none: runs of version 0.1 have none. One that is damaged says nothing. */
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

export const isTallyDamaged = (ledger: string): boolean => tallyText(ledger) !== null && talliedReplies(ledger) === null;

export interface Tally {
  /** So many replies are on disk. One small write that nobody waits for: what a power cut takes of it makes it say less, never too much. */
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

/** Made when it is not there, never cut. */
const openToWrite = (path: string): number => openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);

/** Ledgers that this process has found to have all that was tallied, with the tally. */
const found = new Map<string, number>();

/** Throws `CorruptionError` where replies are gone; before SQLite opens the ledger to write, which would take what is left of the log. */
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
  `${lost} of ${tallied} replies that were on disk and paid are gone: its log (-wal) was damaged, or it is an older copy`;

/** How many are gone, of how many; null where none are. */
export function lostReplies(ledger: string): { readonly lost: number; readonly tallied: number } | null {
  const tallied = talliedReplies(ledger);
  const there = tallied === null ? null : storedReplies(ledger);
  return tallied === null || there === null || there >= tallied ? null : { lost: tallied - there, tallied };
}

/** From here on what is there counts; a tally that is damaged is made again. */
export function acceptLosses(ledger: string): void {
  const there = storedReplies(ledger);
  if (there === null) return;
  const descriptor = openToWrite(tallyPath(ledger));
  writeSync(descriptor, lineOf(there), 0);
  closeSync(descriptor);
}

/** Null for a file that cannot be read so, which whoever opens it finds out. */
function storedReplies(ledger: string): number | null {
  let database: DatabaseSync | undefined;
  try {
    // Where nothing is in the log, reading leaves no file beside it.
    const log = statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    database = new DatabaseSync(`${pathToFileURL(ledger)}${log === 0 ? '?immutable=1' : ''}`, { readOnly: true, timeout: 10_000 });
    const row = database.prepare('select answered from run').get();
    return row === undefined ? null : Number(row['answered']);
  } catch {
    return null;
  } finally {
    database?.close();
  }
}
