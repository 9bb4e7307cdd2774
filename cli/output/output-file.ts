/** Writes a file that the user asked for: it appears under its name only when complete. */
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { InputError } from '../../domain/errors.ts';

type Chunks = Iterable<string> | AsyncIterable<string>;

/**
 * Writes a temporary file and renames it when it is complete and on disk; writes to a device or a pipe (/dev/stdout)
 * directly. Returns the number of chunks. Throws InputError if the disk is full.
 */
export async function writeOutput(path: string, chunks: Chunks): Promise<number> {
  const there = await stat(path).catch(() => null);
  try {
    if (there !== null && !there.isFile()) return await writeTo(path, chunks);
    return await writeAside(await realpath(path).catch(() => path), chunks);
  } catch (error) {
    throw isFull(error)
      ? new InputError('the disk is full: free some space, or choose another path', { file: path })
      : error;
  }
}

async function writeAside(path: string, chunks: Chunks): Promise<number> {
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

async function writeTo(path: string, chunks: Chunks, durably = false): Promise<number> {
  const file = await open(path, 'w');
  let count = 0;
  try {
    for await (const chunk of chunks) {
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
