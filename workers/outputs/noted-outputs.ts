/**
 * Outputs that commands write under temporary names, anywhere on this machine: a note in the cache says where they lie
 * and which process writes them, so that `gc` finds what a killed command left.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { entriesOf } from '../../activities/storage/gc/disk-use.ts';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { leftover } from '../../activities/storage/gc/leftovers.ts';
import type { Removable } from '../../activities/storage/gc/removable.ts';
import { cacheFolder, type Environment } from '../temporal/cache-folder.ts';
import { identifyProcess, isAlive } from '../temporal/process-identity.ts';

const noteSchema = z.object({
  paths: z.array(z.string()),
  host: z.string(),
  process: z.object({ pid: z.number(), started: z.string() }),
});
type OutputNote = z.infer<typeof noteSchema>;

const folderIn = (env: Environment): string => join(cacheFolder(env), 'outputs');

/**
 * Notes temporary files and folders before they are written. Returns what removes the note; without a cache that can
 * be written there is none.
 */
export function noteOutput(env: Environment, paths: readonly string[]): () => void {
  const file = join(folderIn(env), `${randomBytes(6).toString('hex')}.json`);
  try {
    const own = identifyProcess(process.pid);
    if (own === null) return () => {};
    makeFolder(folderIn(env));
    const note = { paths: paths.map((path) => resolve(path)), host: hostname(), process: own } satisfies OutputNote;
    writeFileSync(file, JSON.stringify(note));
  } catch {
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

interface Noted {
  readonly file: string;
  /** Null for a note that was cut off. */
  readonly note: OutputNote | null;
}

/** What killed commands of this machine left. A file that another note's process may still write stays. */
export function outputLeftovers(env: Environment, nowMs: number): Removable[] {
  const ended = notesIn(env).filter(({ note }) => note === null || isEnded(note));
  const held = heldPaths(env);
  return ended.flatMap(({ file, note }) => {
    const paths = note?.paths.filter((path) => !held.has(path)) ?? [];
    const found = paths.flatMap((path) => leftover(path, { why: 'a half-written file of a killed command', nowMs }));
    if (found.length > 0) return found.map((one) => unlessHeld(env, one));
    return leftover(file, { why: 'names a file that a killed command wrote', nowMs });
  });
}

/** Another command may have begun to write it since. */
const unlessHeld = (env: Environment, one: Removable): Removable => ({
  ...one,
  remove: async () => (heldPaths(env).has(one.path) ? 'a process writes it' : one.remove()),
});

const heldPaths = (env: Environment): ReadonlySet<string> =>
  new Set(notesIn(env).flatMap(({ note }) => (note === null || isEnded(note) ? [] : note.paths)));

/** Only of this machine's processes it can be told. */
const isEnded = ({ host, process: writer }: OutputNote): boolean => host === hostname() && !isAlive(writer);

const notesIn = (env: Environment): Noted[] =>
  entriesOf(folderIn(env)).flatMap(({ name }) => {
    const file = join(folderIn(env), name);
    return name.endsWith('.json') ? [{ file, note: noteOf(file) }] : [];
  });

function noteOf(file: string): OutputNote | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
