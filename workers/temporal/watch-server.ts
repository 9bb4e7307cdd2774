/** Brings an embedded server back when it dies while it is in use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, type EnsureOptions, runningOrNew } from './embedded-server.ts';
import { withFileLock } from './file-lock.ts';
import { isAlive } from './process-identity.ts';
import { readServerRecord, serverLock } from './server-files.ts';

export interface WatchOptions extends EnsureOptions {
  /** Default: 1,000. */
  readonly intervalMs?: number;
  /** Restarts within ten minutes before the watch gives up. Default: 5. */
  readonly maxRestarts?: number;
  /** The server cannot be kept alive, or not where its workers look for it. The watch has ended. */
  readonly onGiveUp: (error: Error) => void;
}

export interface ServerWatch {
  /** Ends the watch; returns when a restart that is under way is done. The server stays. */
  stop(): Promise<void>;
}

const WINDOW_MS = 10 * 60_000;

/** Watches the server of `stateDir`, which `ensureServer` has started, until stopped. Several commands may watch the same one. */
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
    restarts = [...restarts.filter((atMs) => atMs > performance.now() - WINDOW_MS), performance.now()];
    if (restarts.length > maxRestarts)
      throw new Error(`the embedded Temporal server died ${restarts.length} times within ten minutes; see ${stateDir}/server.log`);
    const restarted = await restart(options);
    if (restarted !== address)
      throw new Error(`the embedded Temporal server had to move from ${address} to ${restarted}; run the command again to go on there`);
  }
}

const currentAddress = (stateDir: string): string | null => {
  const record = readServerRecord(stateDir);
  return record === null ? null : addressOf(record).address;
};

async function restart(options: WatchOptions): Promise<string> {
  return withFileLock(serverLock(options.stateDir), async () => {
    const { record, isNew } = await runningOrNew(options);
    const { address } = addressOf(record);
    options.onProgress(`the Temporal server had died; ${isNew ? 'restarted' : 'another command restarted it'} on ${address}`);
    return address;
  });
}
