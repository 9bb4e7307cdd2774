/** What the embedded Temporal server of a runs directory no longer needs. The run folders are the truth, not it. */
import { basename, join } from 'node:path';
import { diskUse, entriesOf } from '../../activities/storage/gc/disk-use.ts';
import { type Removable, removed, removeWhole } from '../../activities/storage/gc/removable.ts';
import { whileLockIsFree } from '../temporal/file-lock.ts';
import { isHeld } from '../temporal/leases.ts';
import { databaseFile, databasePrefix, leaseFolder, readServerRecord, serverLock } from '../temporal/server-files.ts';

export async function serverLeftovers(stateDir: string): Promise<Removable[]> {
  const why = 'a database of a server that is no longer used';
  const databases = unusedDatabases(stateDir).map((path) =>
    found(stateDir, path, why, () => unusedDatabases(stateDir).includes(path)),
  );
  return [...databases, ...(await deadLeases(stateDir))];
}

/** Databases of other versions than the last server's, and unreadable ones that were moved aside. */
function unusedDatabases(stateDir: string): string[] {
  const record = readServerRecord(stateDir);
  if (record === null) return [];
  const used = databaseFile(stateDir, record.version);
  return entriesOf(stateDir)
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(stateDir, name))
    .filter((path) => path.startsWith(databasePrefix(stateDir)))
    .filter((path) => !isOfDatabase(path, used));
}

/** The file itself, or one that SQLite or evenkeel put next to it. */
const isOfDatabase = (path: string, database: string): boolean =>
  ['', '-wal', '-shm', '-journal', '.whole'].some((suffix) => path === `${database}${suffix}`);

async function deadLeases(stateDir: string): Promise<Removable[]> {
  const folder = leaseFolder(stateDir);
  const files = entriesOf(folder).map(({ name }) => join(folder, name));
  const held = await Promise.all(files.map(isHeld));
  return files
    .filter((_, index) => !held[index])
    .map((path) => found(stateDir, path, 'of a command that has ended', async () => !(await isHeld(path))));
}

function found(stateDir: string, path: string, why: string, isLeft: () => boolean | Promise<boolean>): Removable {
  const remove = async (): Promise<string | null> =>
    (await isLeft()) ? removed(() => removeWhole(path)) : 'is used again';
  return {
    kind: 'orphan',
    name: `.temporal/${basename(path)}`,
    path,
    bytes: diskUse(path)?.bytes ?? 0,
    why,
    remove: () => whileLockIsFree(serverLock(stateDir), remove, 'a command starts or stops the server'),
  };
}
