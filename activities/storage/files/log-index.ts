/**
 * SQLite's index of a ledger's log, `ledger.sqlite-shm`. All processes that have the ledger open share it: where
 * somebody removes it, those that have it open and those that come later would write over each other's answers.
 */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { CorruptionError } from '../../../domain/errors.ts';

export interface LogIndex {
  /** Throws if the file is no longer the one that this process has open. */
  refuseIfReplaced(): void;
  close(): void;
}

/** SQLite opens the file once for all of a process's connections, so the first of them tells which one it is. */
const opened = new Map<string, { readonly file: number | null; connections: number }>();

/** @param ledger path of a ledger that this process has just opened */
export function holdLogIndex(ledger: string): LogIndex {
  const path = `${ledger}-shm`;
  const index = opened.get(path) ?? { file: fileNumber(path), connections: 0 };
  opened.set(path, index);
  index.connections += 1;
  return {
    refuseIfReplaced: () => {
      if (fileNumber(path) !== index.file) throw replaced(ledger, path);
    },
    close: () => {
      index.connections -= 1;
      if (index.connections === 0) opened.delete(path);
    },
  };
}

const fileNumber = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null;

const replaced = (ledger: string, path: string): CorruptionError =>
  new CorruptionError(
    ledger,
    `its ${basename(path)} was removed or replaced while a process had the ledger open, so that process may not write`,
    "wait until the run's workers have ended, at most the time that one call may take, and run the same command again",
  );
