/** Whether any process has an SQLite file open. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * True while another connection, even an idle one, has the file open: in WAL mode each holds a shared lock from its
 * first statement on, and SQLite's exclusive locking mode needs the file alone. What a killed process left in the log
 * moves into the file. Throws SQLite's error for a file that is not a database.
 */
export function isOpenElsewhere(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('pragma locking_mode = exclusive');
    database.exec('select 1 from sqlite_schema');
    return false;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return true;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * The process that has an SQLite file open, as the system's list of locks says; null if none is listed. It changes
 * nothing, but Linux lists only the processes of one container: look with `isOpenElsewhere` before removing anything.
 */
export function openedBy(path: string): number | null {
  try {
    const { dev, ino } = statSync(path);
    const file = `${hex(majorOf(dev))}:${hex(minorOf(dev))}:${ino}`;
    const lock = readFileSync('/proc/locks', 'latin1')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((fields) => fields.includes(file));
    return lock === undefined ? null : Number(lock[lock.indexOf(file) - 1]);
  } catch {
    return null;
  }
}

const hex = (number: number): string => number.toString(16).padStart(2, '0');
/** As Linux packs the numbers of a device. */
const majorOf = (dev: number): number => Math.floor(dev / 256) % 4096;
const minorOf = (dev: number): number => (dev % 256) + (Math.floor(dev / 1_048_576) % 4096) * 256;

/** Whether a process was stopped (SIGSTOP, Ctrl-Z), and holds what it has open until it goes on or ends. */
export function isStopped(pid: number): boolean {
  try {
    return /^State:\s+[Tt]/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
  } catch {
    return false;
  }
}
