/**
 * Counts the replies that a ledger had on disk, in a separate file. SQLite reads its log up to the first invalid frame
 * and ignores the rest; a flipped bit there would silently drop paid replies, and they would be paid for again.
 */
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { CorruptionError } from '../../../../../domain/errors.ts';
import { sha256 } from '../../../../../domain/ids.ts';
import { lostLedger } from '../../../files/corruption.ts';
import { quoted } from '../../../files/quoted.ts';
import { beyondResume } from './beyond-resume.ts';
import { readAside } from './read-aside.ts';

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
  if (there < tallied) throw lossFault(ledger, { lost: tallied - there, tallied });
  found.set(ledger, tallied);
}

interface Loss {
  readonly lost: number;
  readonly tallied: number;
}

function lossFault(ledger: string, loss: Loss): CorruptionError {
  const more = beyondResume(ledger);
  const otherwise = more === null ? `or pay for them again: ${acceptCommand(dirname(ledger))}` : orStart;
  return lostLedger(ledger, lossText(loss, more), otherwise);
}

/** Names the runs directory: another one may have a run of the same name. */
const acceptCommand = (run: string): string =>
  `npx evenkeel resume ${quoted(basename(run))} --accept-losses --runs-dir ${quoted(dirname(run))}`;

const orStart = 'or start another run';

/** @param more what else is missing */
export const lossText = ({ lost, tallied }: Loss, more: string | null = null): string =>
  `${lost} of ${tallied} paid replies that were on disk are missing${more === null ? '' : `, and also ${more}`}: ` +
  'its log (-wal) was damaged, or it is an older copy';

/** How many replies are missing, of how many; null if none are. */
export function lostReplies(ledger: string): Loss | null {
  const tallied = talliedReplies(ledger);
  const there = tallied === null ? null : storedReplies(ledger);
  return tallied === null || there === null || there >= tallied ? null : { lost: tallied - there, tallied };
}

/**
 * Accepts the current number of replies; also replaces a damaged tally. If the run could not be continued all the same,
 * throws `CorruptionError` and leaves the tally, which tells of the loss.
 * @returns how many replies were missing
 */
export function acceptLosses(ledger: string): number {
  const there = storedReplies(ledger);
  if (there === null) return 0;
  refuseBeyondResume(ledger);
  const lost = lostReplies(ledger)?.lost ?? 0;
  const descriptor = openToWrite(tallyPath(ledger));
  writeSync(descriptor, lineOf(there), 0);
  closeSync(descriptor);
  return lost;
}

function refuseBeyondResume(ledger: string): void {
  const loss = lostReplies(ledger);
  if (loss === null && !isTallyDamaged(ledger)) return;
  const more = beyondResume(ledger);
  if (more === null) return;
  const rule = `its count of paid replies (ledger.tally) is damaged, and it lacks ${more}`;
  throw lostLedger(ledger, loss === null ? rule : lossText(loss, more), orStart);
}

/** Null if the ledger cannot be read. */
const storedReplies = (ledger: string): number | null =>
  readAside(ledger, (database) => {
    const row = database.prepare('select answered from run').get();
    return row === undefined ? null : Number(row['answered']);
  });
