/** Switches an SQLite file to its write-ahead log. */
import type { DatabaseSync } from 'node:sqlite';

const patienceMs = 10_000;
const pauseMs = 20;

/**
 * The switch ignores the connection's timeout, so with several processes that open a new file one may find it locked.
 * Throws SQLite's error if it stays so for ten seconds.
 */
export function useWriteAheadLog(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; ; waitedMs += pauseMs) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isLocked(error) || waitedMs >= patienceMs) throw error;
      Atomics.wait(pause, 0, 0, pauseMs);
    }
  }
}

/** Whether another connection has the file. */
export const isLocked = (error: unknown): boolean => /locked|busy/.test(String(error));
