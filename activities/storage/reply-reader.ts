/** Reads replies from another run's ledger, whether it is at rest, in use, or gone. Writes nothing there. */
import { statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { CorruptionError } from '../../domain/errors.ts';
import { keyBytes, replyColumns, replyJoins, type ReplyRow, storedReply } from './ledger/sqlite/call-book.ts';
import { readingAddress } from './ledger/sqlite/ledger-database.ts';
import type { StoredReply } from './ledger/records.ts';

export interface ReplyReader {
  /** Undefined if the run has no such reply, if its bytes are damaged, and if its ledger is gone. */
  reply(callKey: string): Promise<StoredReply | undefined>;
  close(): void;
}

interface Opened {
  readonly database: DatabaseSync;
  readonly find: StatementSync;
  /** State of the file when it was opened. */
  readonly mark: string;
}

const lockTimeoutMs = 10_000;

/** The file is opened at the first call, and again when its owner has started or ended. */
export function openReplyReader(path: string): ReplyReader {
  let opened: Opened | null = null;
  const close = (): void => {
    opened?.database.close();
    opened = null;
  };
  const find = (callKey: string): StoredReply | undefined => {
    const mark = markOf(path);
    if (opened?.mark !== mark) close();
    if (mark === null) return undefined;
    opened ??= open(path, mark);
    const row = opened.find.get(keyBytes(callKey));
    return row === undefined ? undefined : storedReply(row as unknown as ReplyRow);
  };
  return {
    reply: async (callKey) => {
      try {
        return find(callKey);
      } catch (error) {
        close();
        if (error instanceof CorruptionError) return undefined;
        // A file at rest that its owner opened meanwhile: what was read may be of two states.
        return retried(() => find(callKey));
      }
    },
    close,
  };
}

function retried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function open(path: string, mark: string): Opened {
  const database = new DatabaseSync(readingAddress(path), { readOnly: true, timeout: lockTimeoutMs });
  try {
    const find = database.prepare(`select ${replyColumns} ${replyJoins} where call_key = ?`);
    return { database, find, mark };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Null without the file. A ledger in use is the same file all the time, since SQLite sees its changes; one at rest is
 * read as unchangeable, so any change of it counts.
 */
function markOf(path: string): string | null {
  const file = statSync(path, { throwIfNoEntry: false });
  if (file === undefined) return null;
  const isAtRest = readingAddress(path).endsWith('immutable=1');
  return isAtRest ? `rest ${file.ino} ${file.size} ${file.mtimeMs}` : `use ${file.ino}`;
}
