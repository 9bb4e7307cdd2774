/**
 * Finds idle worker processes: each touches its own file in the shared runs directory while idle.
 * This only decides who gets a step, so a process that cannot write or read the files (disk full,
 * no permission) continues as if it were alone.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Longest time between two touches. */
export const touchMs = 500;
/** A process that has not touched its file for this long is busy, suspended or dead. */
const staleMs = 4 * touchMs;
/** Files of killed processes are removed after this time. */
const forgottenMs = 60_000;

export interface IdleWorkers {
  /** Announces that this process is idle; valid for two seconds. */
  say(): void;
  /** Withdraws the announcement: this process is busy, or ends. */
  withdraw(): void;
  /** Number of other idle processes. */
  others(): number;
}

export function openIdleWorkers(runsDir: string): IdleWorkers {
  const folder = join(runsDir, '.idle');
  const own = join(folder, `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`);
  let isAnnounced = false;
  return {
    say: () =>
      ifPossible(() => {
        // Without its parents: a runs directory that was moved away is not created again.
        if (!isAnnounced && !existsSync(folder)) mkdirSync(folder);
        writeFileSync(own, '');
        isAnnounced = true;
      }, undefined),
    withdraw: () =>
      ifPossible(() => {
        if (isAnnounced) rmSync(own, { force: true });
        isAnnounced = false;
      }, undefined),
    others: () => ifPossible(() => agesOfOthers(folder, own).filter((ms) => ms < staleMs).length, 0),
  };
}

/** Milliseconds since each file was touched. Removes files that no process will touch again. */
function agesOfOthers(folder: string, own: string): number[] {
  const paths = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => path !== own);
  return paths.map((path) => {
    const { mtimeMs = -Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    const ms = Math.abs(Date.now() - mtimeMs);
    if (ms > forgottenMs) rmSync(path, { force: true });
    return ms;
  });
}

function ifPossible<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}
