/**
 * The worker processes of a folder of runs on this machine, each noted in a file of its own. Runs of one folder share
 * them, so that one that somebody stops holds up the others, and its owner may be stopped with it.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { identifyFolder, isNotedFor } from '../temporal/folder-identity.ts';
import { identifyProcess, isAlive } from '../temporal/process-identity.ts';

const schema = z.object({
  pid: z.int(),
  started: z.string(),
  roles: z.array(z.string()),
  /** The run whose command started it; null if a person did. */
  run: z.string().nullable(),
  /** Where it was noted: a copied folder has none of these workers. */
  folder: z.object({ device: z.string(), inode: z.string() }),
});
export type NotedWorker = z.infer<typeof schema>;

const folderIn = (runsDir: string): string => join(runsDir, '.temporal', 'workers');

/**
 * Notes this process, and forgets those that have ended. Returns what removes the note. A folder that cannot be
 * written is no reason to end: only other runs do not learn of a stop.
 */
export function noteWorker(runsDir: string, { roles, run }: Pick<NotedWorker, 'roles' | 'run'>): () => void {
  const file = join(folderIn(runsDir), `${process.pid}.json`);
  try {
    mkdirSync(folderIn(runsDir), { recursive: true });
    for (const { worker, path } of notesIn(runsDir))
      if (worker !== null && !isAlive(worker)) rmSync(path, { force: true });
    writeFileSync(
      file,
      JSON.stringify({ ...identifyProcess(process.pid), roles, run, folder: identifyFolder(runsDir) }),
    );
  } catch {
    // See above.
  }
  return () => {
    try {
      rmSync(file, { force: true });
    } catch {
      // Its process ends, so nobody believes the note.
    }
  };
}

/** Some may have ended. */
export const notedWorkersIn = (runsDir: string): NotedWorker[] =>
  notesIn(runsDir).flatMap(({ worker }) => (worker !== null && isNotedFor(runsDir, worker.folder) ? [worker] : []));

interface Note {
  readonly path: string;
  /** Null if the file is being written, or its writer died while writing. */
  readonly worker: NotedWorker | null;
}

function notesIn(runsDir: string): Note[] {
  try {
    const paths = readdirSync(folderIn(runsDir)).map((name) => join(folderIn(runsDir), name));
    return paths.map((path) => ({ path, worker: readNote(path) }));
  } catch {
    return [];
  }
}

function readNote(path: string): NotedWorker | null {
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
