/** The Temporal server of one runs directory, shared by all commands that use it; the last one stops it. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TemporalExecutable } from './choose-server.ts';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { connectClient, isHealthy } from './connection.ts';
import { withFileLock } from './file-lock.ts';
import { becomesFree, findFreePort } from './free-port.ts';
import { countLiveLeases, takeLease } from './leases.ts';
import { findProcesses, isAlive, stopProcess } from './process-identity.ts';
import { isDiskFull, MissingPartError } from '../../domain/errors.ts';
import {
  databaseFile,
  databasePrefix,
  isCopied,
  leaseFolder,
  markOption,
  readServerRecord,
  type ServerRecord,
  serverLock,
  setDatabaseAside,
  writeServerRecord,
} from './server-files.ts';
import { NAMESPACE, settingsOf, startServer } from './start-server.ts';

/**
 * How long a live server may stay silent before it counts as stuck.
 * A busy one on a loaded machine answers within seconds.
 */
const SILENT_LIMIT_MS = 15_000;
/** Its database is a log that survives a kill, and nothing in it is needed again: a stopped command must end soon. */
const STOP_GRACE_MS = 750;
const PORT_FREE_WITHIN_MS = 3_000;
const RETENTION = '30 days';

export interface EnsureOptions {
  /** `<runs directory>/.temporal`. */
  readonly stateDir: string;
  readonly executable: TemporalExecutable;
  readonly onProgress: (line: string) => void;
}

export interface EmbeddedServer {
  readonly address: string;
  readonly namespace: string;
  readonly pid: number;
  /** True when this call started it. */
  readonly owned: boolean;
  readonly lease: Lease;
}

export interface Lease {
  /** Stops using the server; stops it when nobody else holds a lease. A second call does nothing. */
  release(): Promise<void>;
}

/**
 * The server already running for this state folder, or a new one. A new one reuses the port of the dead one if it is
 * free, so that its workers find it again. Throws `MissingPartError` if it does not start.
 */
export async function ensureServer(options: EnsureOptions): Promise<EmbeddedServer> {
  const { stateDir } = options;
  makeFolder(stateDir);
  return withFileLock(serverLock(stateDir), async () => {
    const lease = await takeLease(leaseFolder(stateDir));
    try {
      const { record, isNew } = await runningOrNew(options);
      return {
        ...addressOf(record),
        pid: record.pid,
        owned: isNew,
        lease: { release: () => releaseLease(stateDir, lease) },
      };
    } catch (error) {
      await rm(lease, { force: true });
      throw error;
    }
  });
}

export const addressOf = (record: ServerRecord): { readonly address: string; readonly namespace: string } => ({
  address: settingsOf(record.port).address,
  namespace: NAMESPACE,
});

/** Call while holding the server's lock. */
export async function runningOrNew(
  options: EnsureOptions,
): Promise<{ readonly record: ServerRecord; readonly isNew: boolean }> {
  const last = readServerRecord(options.stateDir);
  if (last !== null && (await isUsable(last))) return { record: last, isNew: false };
  await stopServers(options.stateDir);
  if (isCopied(options.stateDir)) await leaveCopiedDatabase(options);
  const port = last !== null && (await becomesFree(last.port, PORT_FREE_WITHIN_MS)) ? last.port : await findFreePort();
  const record = await startServer({ ...options, port });
  await noteServer(options.stateDir, record);
  await keepHistoriesLonger(record);
  return { record, isNew: true };
}

/** A copy that was made while the server wrote may be torn, and its sweeps are those of the folder that was copied. */
async function leaveCopiedDatabase({ stateDir, executable, onProgress }: EnsureOptions): Promise<void> {
  const database = databaseFile(stateDir, executable.version);
  if (!existsSync(database)) return;
  const aside = await setDatabaseAside(database, 'copied');
  onProgress(
    'this runs directory is a copy, so it gets a Temporal server and a Temporal database of its own; the copied ' +
      `database, which holds no model answers, is now ${aside}`,
  );
}

/** Its folder may be removed meanwhile: no later command would find the server. */
async function noteServer(stateDir: string, record: ServerRecord): Promise<void> {
  try {
    await writeServerRecord(stateDir, record);
  } catch (error) {
    await stopProcess(record, STOP_GRACE_MS);
    if (isDiskFull(error)) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new MissingPartError(
      `the embedded Temporal server did not start: its folder was removed, or cannot be written (${why}); run the ` +
        'command again',
    );
  }
}

/**
 * Stops all servers of this folder, including one that was never recorded because its command was killed, or whose
 * folder was deleted while it ran.
 */
async function stopServers(stateDir: string): Promise<void> {
  // Earlier versions named the database by its whole path.
  const found = [markOption, '--db-filename'].flatMap((option) => findProcesses(option, databasePrefix(stateDir)));
  await Promise.all(
    [readServerRecord(stateDir) ?? [], found].flat().map((server) => stopProcess(server, STOP_GRACE_MS)),
  );
}

async function isUsable(record: ServerRecord): Promise<boolean> {
  const deadlineMs = performance.now() + SILENT_LIMIT_MS;
  while (isAlive(record) && performance.now() < deadlineMs) {
    if (await isHealthy(settingsOf(record.port), 3_000)) return true;
    await sleep(100);
  }
  return false;
}

/** The server's default is one day. Best effort: only the history in Temporal's own tools depends on it. */
async function keepHistoriesLonger(record: ServerRecord): Promise<void> {
  try {
    const { msToTs } = await import('@temporalio/common/lib/time.js');
    const { connection } = await connectClient(settingsOf(record.port), { limitMs: 5_000 });
    const config = { workflowExecutionRetentionTtl: msToTs(RETENTION) };
    try {
      await connection.workflowService.updateNamespace({ namespace: NAMESPACE, config });
    } finally {
      await connection.close();
    }
  } catch {
    // The default of one day stays.
  }
}

async function releaseLease(stateDir: string, lease: string): Promise<void> {
  await rm(lease, { force: true });
  // A folder that was moved away is not created again only for its lock.
  await (existsSync(stateDir) ? stopUnlessLeased(stateDir) : stopServers(stateDir));
}

/** Stops a server that a killed command left behind. Does nothing while any command uses it. */
export async function stopUnusedServer(stateDir: string): Promise<void> {
  if (existsSync(stateDir)) await stopUnlessLeased(stateDir);
}

const stopUnlessLeased = (stateDir: string): Promise<void> =>
  withFileLock(serverLock(stateDir), async () => {
    if ((await countLiveLeases(leaseFolder(stateDir))) === 0) await stopServers(stateDir);
  });
