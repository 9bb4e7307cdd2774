/** Files of the embedded server in its state folder; all of them can be deleted. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FolderIdentity, identifyFolder, isNotedElsewhere, isNotedFor } from './folder-identity.ts';
import type { ProcessIdentity } from './process-identity.ts';

export interface ServerRecord extends ProcessIdentity {
  readonly port: number;
  /** Version of the running CLI. */
  readonly version: string;
  /** UTC, ISO 8601. */
  readonly startedAt: string;
}

const recordFile = (stateDir: string): string => join(stateDir, 'server.json');
export const serverLock = (stateDir: string): string => join(stateDir, 'lock');
export const logFile = (stateDir: string): string => join(stateDir, 'server.log');
export const leaseFolder = (stateDir: string): string => join(stateDir, 'leases');
/** Common beginning of all database paths of a state folder. */
export const databasePrefix = (stateDir: string): string => join(stateDir, 'temporal-');
/**
 * In the command line of a folder's server, so that one is found whose command was killed before it wrote the record.
 * A server without a user interface never reads this option.
 */
export const markOption = '--ui-asset-path';
export const markOf = (stateDir: string): string[] => [markOption, databasePrefix(stateDir)];
export const databaseFile = (stateDir: string, version: string): string =>
  `${databasePrefix(stateDir)}${version.replace(/[^\w.-]/g, '_')}.db`;

interface WrittenRecord extends Partial<ServerRecord> {
  /** The state folder that the server was started for; earlier versions did not write it. */
  readonly folder?: FolderIdentity;
}

/**
 * The last server started for this folder, running or not; null if there was none, or the record is unreadable or was
 * copied with the folder: its server serves the folder that was copied.
 */
export function readServerRecord(stateDir: string): ServerRecord | null {
  const { pid, started, port, version, startedAt, folder } = writtenRecord(stateDir);
  if (
    pid === undefined ||
    started === undefined ||
    port === undefined ||
    version === undefined ||
    startedAt === undefined ||
    !isNotedFor(stateDir, folder)
  )
    return null;
  return { pid, started, port, version, startedAt };
}

/** Whether the folder is a copy of one that a server was started for. */
export const isCopied = (stateDir: string): boolean => isNotedElsewhere(stateDir, writtenRecord(stateDir).folder);

function writtenRecord(stateDir: string): WrittenRecord {
  if (!existsSync(recordFile(stateDir))) return {};
  try {
    return JSON.parse(readFileSync(recordFile(stateDir), 'utf8')) as WrittenRecord;
  } catch {
    return {};
  }
}

export async function writeServerRecord(stateDir: string, record: ServerRecord): Promise<void> {
  const unfinished = `${recordFile(stateDir)}.tmp`;
  await writeFile(unfinished, `${JSON.stringify({ ...record, folder: identifyFolder(stateDir) }, null, 2)}\n`);
  await rename(unfinished, recordFile(stateDir));
}

/**
 * Exists once a server has created the whole database. Tables are created one by one, and a server that finds some of
 * them assumes that all exist.
 */
const completeMark = (database: string): string => `${database}.whole`;

export const markComplete = (database: string): Promise<void> => writeFile(completeMark(database), '');

/** Removes a database that a server was killed while creating. Returns whether there was one. */
export async function removeUnfinished(database: string): Promise<boolean> {
  const isThere = statSync(database, { throwIfNoEntry: false })?.isFile() === true;
  if (isThere && existsSync(completeMark(database))) return false;
  await removeFiles([completeMark(database), ...(isThere ? [database, ...sqliteFiles(database)] : [])]);
  return isThere;
}

/** SQLite's files next to a database. */
const sqliteFiles = (database: string): string[] => ['-wal', '-shm'].map((suffix) => `${database}${suffix}`);

async function removeFiles(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

/** Moves aside a database that is not to be used, and says why in its name. Returns its new path. */
export async function setDatabaseAside(file: string, why: 'unreadable' | 'copied'): Promise<string> {
  const aside = `${file}.${why}-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  await rename(file, aside);
  await removeFiles(sqliteFiles(file));
  return aside;
}
