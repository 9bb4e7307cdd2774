/** What downloading and building share: one at a time, in a scratch folder, renamed into place, nothing left behind. */
import { access, chmod, rename, rm } from 'node:fs/promises';
import { makeFolder } from '../../activities/storage/make-folder.ts';
import { cachedCli, cliLock, cliScratch } from './cli-version.ts';
import { withFileLock } from './file-lock.ts';

export type Obtained = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Puts the executable that `make(scratch)` leaves at the path it returns into the cache. When another process does so already this one waits
 * for it, telling `onProgress` every 5 s, and takes its result.
 */
export async function obtainCli(
  cache: string,
  onProgress: (line: string) => void,
  make: (scratch: string) => Promise<string>,
): Promise<void> {
  const work = async (): Promise<void> => {
    if (await exists(cachedCli(cache))) return;
    const scratch = cliScratch(cache);
    try {
      // Whatever lies here is a dead process's: the lock is ours.
      await rm(scratch, { recursive: true, force: true });
      makeFolder(scratch);
      const made = await make(scratch);
      await chmod(made, 0o755);
      await rename(made, cachedCli(cache));
    } finally {
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  await withFileLock(
    cliLock(cache),
    work,
    everyFiveSeconds((seconds) => onProgress(`another process is getting the Temporal CLI; waiting: ${seconds} s`)),
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
