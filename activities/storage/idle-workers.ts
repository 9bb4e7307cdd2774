/**
 * Which worker processes have nothing to do: each says so by touching a file of its own in the runs directory that they share. Nothing depends on it but
 * who gets a step, so a process that cannot say or see it (disk full, no right to write) goes on as if it were alone.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';

/** Between two touches at most. */
export const touchMs = 500;
/** A process that has not touched its file for so long has something to do, stands still or is gone. */
const staleMs = 4 * touchMs;
/** Files of processes that were killed are removed after so long. */
const forgottenMs = 60_000;

export interface IdleWorkers {
  /** This process has nothing to do; holds for two seconds. */
  say(): void;
  /** This process has something to do, or ends. */
  unsay(): void;
  /** How many other processes have nothing to do. */
  others(): number;
}

export function openIdleWorkers(runsDir: string): IdleWorkers {
  const folder = join(runsDir, '.idle');
  const own = join(folder, `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`);
  let isSaid = false;
  return {
    say: () =>
      ifPossible(() => {
        if (!isSaid) makeFolder(folder);
        writeFileSync(own, '');
        isSaid = true;
      }, undefined),
    unsay: () =>
      ifPossible(() => {
        if (isSaid) rmSync(own, { force: true });
        isSaid = false;
      }, undefined),
    others: () => ifPossible(() => agesOfOthers(folder, own).filter((ms) => ms < staleMs).length, 0),
  };
}

/** Milliseconds since each was touched. Removes those that nobody will touch again. */
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
