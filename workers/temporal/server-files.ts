/** What the embedded server keeps in its state folder, all of it disposable. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

export interface ServerRecord extends ProcessIdentity {
  readonly port: number;
  /** Of the CLI that runs. */
  readonly version: string;
  /** UTC, ISO 8601. */
  readonly startedAt: string;
}

const recordFile = (stateDir: string): string => join(stateDir, 'server.json');
export const serverLock = (stateDir: string): string => join(stateDir, 'lock');
export const logFile = (stateDir: string): string => join(stateDir, 'server.log');
export const leaseFolder = (stateDir: string): string => join(stateDir, 'leases');
/** How the names of all databases of a state folder begin. */
export const databasePrefix = (stateDir: string): string => join(stateDir, 'temporal-');
export const databaseFile = (stateDir: string, version: string): string =>
  `${databasePrefix(stateDir)}${version.replace(/[^\w.-]/g, '_')}.db`;

/** The server that was last started, running or not; null when there was none or the record is unreadable (it is disposable too). */
export function readServerRecord(stateDir: string): ServerRecord | null {
  if (!existsSync(recordFile(stateDir))) return null;
  try {
    const record = JSON.parse(readFileSync(recordFile(stateDir), 'utf8')) as Partial<ServerRecord>;
    const { pid, started, port, version, startedAt } = record;
    if (pid === undefined || started === undefined || port === undefined || version === undefined || startedAt === undefined) return null;
    return { pid, started, port, version, startedAt };
  } catch {
    return null;
  }
}

export async function writeServerRecord(stateDir: string, record: ServerRecord): Promise<void> {
  const unfinished = `${recordFile(stateDir)}.tmp`;
  await writeFile(unfinished, `${JSON.stringify(record, null, 2)}\n`);
  await rename(unfinished, recordFile(stateDir));
}

/** There once a server has made all of a database: its tables come one by one, and a server that finds some takes them for all. */
const wholeMark = (database: string): string => `${database}.whole`;

export const markWhole = (database: string): Promise<void> => writeFile(wholeMark(database), '');

/** Removes what a server that was ended while it made its database has left. Returns whether there was any. */
export async function removeUnfinished(database: string): Promise<boolean> {
  const isThere = statSync(database, { throwIfNoEntry: false })?.isFile() === true;
  if (isThere && existsSync(wholeMark(database))) return false;
  await removeFiles([wholeMark(database), ...(isThere ? [database, ...besides(database)] : [])]);
  return isThere;
}

const besides = (database: string): string[] => ['-wal', '-shm'].map((suffix) => `${database}${suffix}`);

async function removeFiles(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => rm(file, { force: true })));
}

/** Moves a database that the server cannot read out of its way. Returns where it lies now. */
export async function setDatabaseAside(file: string): Promise<string> {
  const aside = `${file}.unreadable-${new Date().toISOString().replace(/[:.]/g, '-')}`;
  await rename(file, aside);
  await removeFiles(besides(file));
  return aside;
}
