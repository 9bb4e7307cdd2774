/** Records who uses a server: one file per use, named for its process. Files of dead processes do not count. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Writes a lease of this process and returns its file. */
export async function takeLease(folder: string): Promise<string> {
  const holder = identifyProcess(process.pid);
  if (holder === null)
    throw new Error(`pid ${process.pid} (this process) is not in the process table, so it cannot hold a lease`);
  makeFolder(folder);
  const file = join(folder, `${process.pid}-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(holder));
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

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

/** Whether the process of a lease lives. False for a truncated file: its writer died while writing. */
export async function isHeld(file: string): Promise<boolean> {
  try {
    return isAlive(JSON.parse(await readFile(file, 'utf8')) as ProcessIdentity);
  } catch {
    return false;
  }
}
