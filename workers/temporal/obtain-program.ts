/**
 * Shared by download and build: one process at a time, in a scratch folder that is removed,
 * with the result renamed into place.
 */
import { access, chmod, rename, rm } from 'node:fs/promises';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import type { CachedProgram } from './cached-program.ts';
import { withFileLock } from './file-lock.ts';

export type Obtained = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Calls `make(scratch)` and moves the executable whose path it returns into the cache. If another process is already
 * doing so, waits for its result instead and tells `onProgress` every 5 s.
 */
export async function obtainProgram(
  program: CachedProgram,
  onProgress: (line: string) => void,
  make: (scratch: string) => Promise<string>,
): Promise<void> {
  const work = async (): Promise<void> => {
    if (await exists(program.path)) return;
    const { scratch } = program;
    try {
      // This process holds the lock, so any files here are from a dead process.
      await rm(scratch, { recursive: true, force: true });
      makeFolder(scratch);
      const made = await make(scratch);
      await chmod(made, 0o755);
      await rename(made, program.path);
    } finally {
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  await withFileLock(
    program.lock,
    work,
    everyFiveSeconds((seconds) => onProgress(`another process is getting ${program.name}; waiting: ${seconds} s`)),
  );
}

function everyFiveSeconds(tell: (seconds: number) => void): (waitedMs: number) => void {
  let nextMs = 5_000;
  return (waitedMs) => {
    if (waitedMs < nextMs) return;
    tell(Math.round(waitedMs / 1_000));
    nextMs += 5_000;
  };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
