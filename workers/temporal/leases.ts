/** Records who uses a server: one file per use, named for its process. Files of dead processes do not count. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { type FolderIdentity, identifyFolder, isNotedFor } from './folder-identity.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

interface Lease extends ProcessIdentity {
  /** The state folder that the lease was taken in; earlier versions did not write it. */
  readonly folder?: FolderIdentity;
}

/** Writes a lease of this process and returns its file. */
export async function takeLease(folder: string): Promise<string> {
  const holder = identifyProcess(process.pid);
  if (holder === null)
    throw new Error(`pid ${process.pid} (this process) is not in the process table, so it cannot hold a lease`);
  makeFolder(folder);
  const file = join(folder, `${process.pid}-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify({ ...holder, folder: identifyFolder(dirname(folder)) }));
  return file;
}

/** Removes the leases of dead processes and returns how many are left. Call while holding the server's lock. */
export async function countLiveLeases(folder: string): Promise<number> {
  let live = 0;
  for (const name of await namesIn(folder)) {
    const file = join(folder, name);
    if (await isHeld(file)) live += 1;
    else await rm(file, { force: true });
  }
  return live;
}

/** How many there are of living processes. */
export async function heldLeases(folder: string): Promise<number> {
  const held = await Promise.all((await namesIn(folder)).map((name) => isHeld(join(folder, name))));
  return held.filter(Boolean).length;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/**
 * Whether the process of a lease lives. False for a truncated file: its writer died while writing. False for one that
 * was copied with the folder: its process uses the server of the folder that was copied.
 */
export async function isHeld(file: string): Promise<boolean> {
  try {
    const lease = JSON.parse(await readFile(file, 'utf8')) as Lease;
    return isNotedFor(dirname(dirname(file)), lease.folder) && isAlive(lease);
  } catch {
    return false;
  }
}
