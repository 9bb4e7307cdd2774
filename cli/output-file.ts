/** A file that the user asked for: whole under its name, or not there. */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { InputError } from '../domain/errors.ts';

/** Renamed into place when it is whole and on disk; a device or a pipe (/dev/stdout) is written to as it comes. Returns the number of chunks. */
export async function writeOutput(path: string, chunks: Iterable<string>): Promise<number> {
  const there = await stat(path).catch(() => null);
  try {
    if (there !== null && !there.isFile()) return await writeTo(path, chunks);
    return await writeAside(await realpath(path).catch(() => path), chunks);
  } catch (error) {
    throw isFull(error) ? new InputError('the disk is full: free some space, or name another place', { file: path }) : error;
  }
}

async function writeAside(path: string, chunks: Iterable<string>): Promise<number> {
  const aside = `${path}.tmp`;
  try {
    const count = await writeTo(aside, chunks, true);
    await rename(aside, path);
    return count;
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeTo(path: string, chunks: Iterable<string>, durably = false): Promise<number> {
  const file = await open(path, 'w');
  let count = 0;
  try {
    for (const chunk of chunks) {
      await file.appendFile(chunk);
      count += 1;
    }
    if (durably) await file.sync();
  } finally {
    await file.close();
  }
  return count;
}

const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
