/** Restarts an embedded server that dies while in use. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../../domain/errors.ts';
import { addressOf, type EnsureOptions, runningOrNew } from './embedded-server.ts';
import { withFileLock } from './file-lock.ts';
import { isAlive } from './process-identity.ts';
import { readServerRecord, serverLock } from './server-files.ts';

export interface WatchOptions extends EnsureOptions {
  /** Default: 1,000. */
  readonly intervalMs?: number;
  /** Restarts allowed within ten minutes. Default: 5. */
  readonly maxRestarts?: number;
  /**
   * Called when the server cannot be kept alive, or only at another address than its workers use.
   * The watch has then ended.
   */
  readonly onGiveUp: (error: Error) => void;
}

export interface ServerWatch {
  /** Ends the watch after any restart in progress. The server keeps running. */
  stop(): Promise<void>;
}

const WINDOW_MS = 10 * 60_000;

/**
 * Watches the server of `stateDir`, started by `ensureServer`, until stopped.
 * Several commands may watch the same server.
 */
export function watchServer(options: WatchOptions): ServerWatch {
  const stopping = new AbortController();
  const watching = watch(options, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) options.onGiveUp(error instanceof Error ? error : new Error(String(error)));
  });
  return {
    stop: async () => {
      stopping.abort();
      await watching;
    },
  };
}

async function watch(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const { stateDir, intervalMs = 1_000, maxRestarts = 5 } = options;
  const address = currentAddress(stateDir);
  let restarts: number[] = [];
  for (;;) {
    await sleep(intervalMs, undefined, { signal });
    const record = readServerRecord(stateDir);
    if (record !== null && isAlive(record)) continue;
    refuseMovedRuns(dirname(stateDir));
    restarts = [...restarts.filter((atMs) => atMs > performance.now() - WINDOW_MS), performance.now()];
    if (restarts.length > maxRestarts)
      throw new Error(
        `the embedded Temporal server died ${restarts.length} times within ten minutes; see ${stateDir}/server.log`,
      );
    const restarted = await restart(options);
    if (restarted !== address)
      throw new Error(
        `the embedded Temporal server had to move from ${address} to ${restarted}; ` +
          'run the command again to continue there',
      );
  }
}

/** Without this check, a server in the old place would make half a runs directory there. */
function refuseMovedRuns(runsDir: string): void {
  if (existsSync(runsDir)) return;
  throw new InputError('was moved or removed while it was in use: put it back, and start the command again', {
    file: runsDir,
  });
}

const currentAddress = (stateDir: string): string | null => {
  const record = readServerRecord(stateDir);
  return record === null ? null : addressOf(record).address;
};

async function restart(options: WatchOptions): Promise<string> {
  return withFileLock(serverLock(options.stateDir), async () => {
    const { record, isNew } = await runningOrNew(options);
    const { address } = addressOf(record);
    options.onProgress(
      `the Temporal server died; ${isNew ? 'restarted it' : 'another command restarted it'} on ${address}`,
    );
    return address;
  });
}
