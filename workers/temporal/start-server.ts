/** Starts one embedded server and waits until it answers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeBytesOf } from '../../activities/storage/files/free-space.ts';
import { fileSizeLimit, fileSizeNote } from '../../activities/storage/files/own-limits.ts';
import { MissingPartError } from '../../domain/errors.ts';
import type { TemporalExecutable } from './choose-server.ts';
import { isHealthy } from './connection.ts';
import { identifyProcess, stopProcess } from './process-identity.ts';
import {
  databaseFile,
  logFile,
  markComplete,
  markOf,
  removeUnfinished,
  type ServerRecord,
  setDatabaseAside,
} from './server-files.ts';
import type { TemporalSettings } from './settings.ts';

export const NAMESPACE = 'default';
const HEALTHY_WITHIN_MS = 60_000;
const LOG_BYTES = 10e6;
/** From there on Go collects garbage more often; not a hard limit. */
const heapLimit = '350MiB';
/** SQLite's messages for a file that is not a database, or a damaged one. */
const UNREADABLE = /file is not a database|malformed|no such table/i;

export interface StartOptions {
  readonly stateDir: string;
  readonly executable: TemporalExecutable;
  readonly port: number;
  readonly onProgress: (line: string) => void;
}

export const settingsOf = (port: number): TemporalSettings => ({
  address: `127.0.0.1:${port}`,
  namespace: NAMESPACE,
  apiKey: null,
  tls: null,
});

/**
 * Sets an unreadable database aside, reports it, and tries once more: everything in it can be rebuilt from the run
 * folder. Throws `MissingPartError` with the end of the server's log if it does not start.
 */
export async function startServer(options: StartOptions): Promise<ServerRecord> {
  const first = await tryStart(options);
  if (first.ok) return first.record;
  const database = databaseFile(options.stateDir, options.executable.version);
  if (!UNREADABLE.test(first.reason)) throw new MissingPartError(failedStart(options, first.reason));
  options.onProgress(
    `the Temporal database was unreadable; moved it to ${await setAside(options, database, first.reason)}`,
  );
  const second = await tryStart(options);
  if (second.ok) return second.record;
  throw new MissingPartError(failedStart(options, second.reason));
}

async function setAside(options: StartOptions, database: string, reason: string): Promise<string> {
  try {
    return await setDatabaseAside(database, 'unreadable');
  } catch (error) {
    throw new MissingPartError(
      `${failedStart(options, reason)}\nIts database ${database} is unreadable and ` +
        `cannot be moved away (${messageOf(error)}). ` +
        'Delete it and run the command again: it holds no model answers.',
    );
  }
}

const failedStart = ({ executable, port, stateDir }: StartOptions, reason: string): string =>
  `the embedded Temporal server (${executable.path}, 127.0.0.1:${port}) did not start: ${reason}\n` +
  `Its log is ${logFile(stateDir)}.${spaceNote(freeBytesOf(stateDir), stateDir)}${sizeNote(fileSizeLimit())}`;

/** A new database takes 5 MB. On a full disk the server ends without a word, since it cannot write its log either. */
export const spaceNote = (bytes: number, folder: string): string =>
  bytes >= 10e6 ? '' : `\nThe disk of ${folder} has only ${(bytes / 1e6).toFixed(1)} MB left: free some space.`;

/** Of a limit that its database exceeds. */
export const sizeNote = (limit: number): string => (limit >= 10e6 ? '' : `\n${fileSizeNote(limit)}`);

type Start = { readonly ok: true; readonly record: ServerRecord } | { readonly ok: false; readonly reason: string };

async function tryStart(options: StartOptions): Promise<Start> {
  const database = databaseFile(options.stateDir, options.executable.version);
  if (await removeUnfinished(database))
    options.onProgress('the Temporal database was left half-initialised; recreating it');
  const { child, logStart } = spawnServer(options);
  const identity = child.pid === undefined ? null : identifyProcess(child.pid);
  const failure = (await whyNotHealthy(child, options.port)) ?? (await whyNotMarked(database));
  if (failure === null && identity !== null) {
    child.unref();
    return {
      ok: true,
      record: {
        ...identity,
        port: options.port,
        version: options.executable.version,
        startedAt: new Date().toISOString(),
      },
    };
  }
  if (identity !== null) await stopProcess(identity, 5_000);
  return { ok: false, reason: `${failure ?? 'it ended at once'}. ${endOfLog(logFile(options.stateDir), logStart)}` };
}

/** Its folder may be removed while it starts: what a server keeps there would be lost. */
async function whyNotMarked(database: string): Promise<string | null> {
  try {
    await markComplete(database);
    return null;
  } catch (error) {
    const why = `its folder was removed, or cannot be written, while it started (${messageOf(error)})`;
    return `${why}; run the command again`;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * In a separate process group with no pipe to this process, so that it survives a killed command
 * and a Ctrl-C in its terminal.
 */
function spawnServer({ stateDir, executable, port }: StartOptions): {
  readonly child: ChildProcess;
  readonly logStart: number;
} {
  const file = logFile(stateDir);
  if (sizeOf(file) > LOG_BYTES) renameSync(file, `${file}.1`);
  const log = openSync(file, 'a');
  try {
    // Named from its folder: the server reads the name as part of a URI, in which `#`, `?` and `%` mean something.
    const database = basename(databaseFile(stateDir, executable.version));
    const child = spawn(executable.path, [...serverArguments(database, port), ...markOf(stateDir)], {
      cwd: stateDir,
      detached: true,
      stdio: ['ignore', log, log],
      // Not the user's environment: the server must not see provider keys, and TEMPORAL_* would configure it.
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], HOME: stateDir, GOMEMLIMIT: heapLimit },
    });
    child.on('error', () => {});
    return { child, logStart: sizeOf(file) };
  } finally {
    closeSync(log);
  }
}

/**
 * WAL and NORMAL make commits a hundred times faster and lose nothing when the process dies. One partition per queue
 * and a long shard timeout suit a single SQLite connection. Each worker poll counts against the namespace's limit.
 * `transferProcessorMaxPollRPS` is how often per second the history shard looks for tasks: at the default of 20, every
 * step of a page waits up to 50 ms, twice. Without Worker Versioning, queues are named for the build
 * (build/pinning.ts): to register five queues takes the server most of a second. A sweep has a few hundred open
 * workflows; by default the server keeps 128,000 for an hour, closed ones too (decision 106).
 */
function serverArguments(database: string, port: number): string[] {
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL', 'busy_timeout=5000'];
  const settings = [
    'matching.numTaskqueueReadPartitions=1',
    'matching.numTaskqueueWritePartitions=1',
    'history.shardIOTimeout=30',
    'frontend.namespaceCount=5000',
    'history.transferProcessorMaxPollRPS=500',
    'system.enableDeploymentVersions=false',
    'history.hostLevelCacheMaxSize=1000',
  ];
  return [
    ...['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port), '--db-filename', database],
    ...pragmas.flatMap((pragma) => ['--sqlite-pragma', pragma]),
    ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
  ];
}

/** Null once the server answers. */
async function whyNotHealthy(child: ChildProcess, port: number): Promise<string | null> {
  const deadlineMs = performance.now() + HEALTHY_WITHIN_MS;
  while (performance.now() < deadlineMs) {
    if (child.pid === undefined) return 'it could not be executed';
    if (child.exitCode !== null || child.signalCode !== null)
      return `it ended with ${child.exitCode ?? child.signalCode}`;
    if (await isHealthy(settingsOf(port), 1_000)) return null;
    await sleep(100);
  }
  return `it did not answer within ${HEALTHY_WITHIN_MS / 1_000} s`;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Empty if the log was removed. */
const endOfLog = (file: string, startByte: number): string =>
  (existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
    .subarray(startByte)
    .toString('utf8')
    .trim()
    .split('\n')
    .slice(-5)
    .join('\n');
