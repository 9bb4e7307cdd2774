/** Writes a file that the user asked for: it appears under its name only when complete. */
import { randomUUID } from 'node:crypto';
import { fstatSync, rmSync, statSync } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { InputError, isFileTooLarge, tooLarge } from '../../domain/errors.ts';
import { noteOutput } from '../../workers/outputs/noted-outputs.ts';
import type { Terminal } from './terminal.ts';

type Chunks = Iterable<string> | AsyncIterable<string>;

/**
 * Writes a temporary file and renames it when it is complete and on disk; writes to a device or a pipe (/dev/stdout)
 * directly. Returns the number of chunks. Throws InputError if the disk is full or the file gets too large.
 */
export async function writeOutput(path: string, chunks: Chunks): Promise<number> {
  const there = await stat(path).catch(() => null);
  try {
    if (there !== null && !there.isFile()) return await writeTo(path, chunks);
    return await writeAside(path, (aside) => writeTo(aside, chunks, true));
  } catch (error) {
    const rule = noRoomRule(error);
    throw rule === null ? error : new InputError(rule, { file: path });
  }
}

/**
 * For a command that also writes next to its output. Makes and removes a file next to the output and, if that is a
 * link, next to its target: permissions do not tell, those of /proc allow what it then refuses. Throws InputError for a
 * folder, and the system's error where no file can be made.
 */
export async function checkOutputFile(path: string): Promise<void> {
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory())
    throw new InputError('is a folder; expected a file: name a file in that folder', { file: path });
  const isStream = there !== null && !there.isFile();
  const target = isStream ? path : await realpath(path).catch(() => path);
  for (const place of new Set([path, target])) await makeAndRemove(`${place}.${randomUUID().slice(0, 8)}.check`);
}

/** Throws the system's error where no file can be made, and InputError if the disk is full. */
export async function makeAndRemove(path: string): Promise<void> {
  try {
    const file = await open(path, 'wx');
    await file.close();
    await rm(path);
  } catch (error) {
    const rule = noRoomRule(error);
    throw rule === null ? error : new InputError(rule, { file: path });
  }
}

/** Says what was written; on stderr if the file is standard output, which then holds the file and nothing else. */
export function tellWritten(terminal: Pick<Terminal, 'json' | 'out' | 'note'>, path: string, line: string): void {
  if (terminal.json) return;
  if (isStandardOutput(path)) terminal.note(line);
  else terminal.out(line);
}

function isStandardOutput(path: string): boolean {
  try {
    const [file, output] = [statSync(path), fstatSync(1)];
    return file.dev === output.dev && file.ino === output.ino;
  } catch {
    return false;
  }
}

/** Has a file written that cannot be a stream. Throws InputError for a device or a pipe, which it would replace. */
export async function writeWholeFile<T>(path: string, write: (aside: string) => Promise<T>): Promise<T> {
  const there = await stat(path).catch(() => null);
  if (there !== null && !there.isFile() && !there.isDirectory())
    throw new InputError('is a device or a pipe; expected a file: choose another path', { file: path });
  return writeAside(path, write);
}

/** What a writer may fill next to its temporary file. */
export const stageOf = (aside: string): string => `${aside}.d`;

/** Follows a link, so that its target is replaced and not the link. @param write is given a temporary name */
async function writeAside<T>(named: string, write: (aside: string) => Promise<T>): Promise<T> {
  const path = await realpath(named).catch(() => named);
  const aside = `${path}.tmp`;
  const forgetNote = noteOutput(process.env, [aside, stageOf(aside)]);
  const forget = removedWhenStopped([aside, stageOf(aside)], forgetNote);
  try {
    const result = await write(aside);
    await rename(aside, path);
    return result;
  } catch (error) {
    await rm(aside, { force: true }).catch(() => {});
    throw error;
  } finally {
    forget();
    forgetNote();
  }
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes the files if the process is told to stop, which it then does. Returns what ends that. */
function removedWhenStopped(files: readonly string[], forgetNote: () => void): () => void {
  const stop = (signal: NodeJS.Signals): void => {
    for (const file of files) rmSync(file, { recursive: true, force: true });
    forgetNote();
    forget();
    // Whoever else listens decides what becomes of the process.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const forget = (): void => {
    for (const signal of stopSignals) process.off(signal, stop);
  };
  for (const signal of stopSignals) process.on(signal, stop);
  return forget;
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

function noRoomRule(error: unknown): string | null {
  if (isFileTooLarge(error)) return `would be ${tooLarge}, or choose another path`;
  const isFull = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
  return isFull ? 'the disk is full: free some space, or choose another path' : null;
}
