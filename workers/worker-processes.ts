/** The worker processes that a run owns: started, brought back when one dies, drained at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MissingPartError } from '../domain/errors.ts';
import { notesOnce } from './notes.ts';
import type { Role } from './roles.ts';
import type { Environment } from './temporal/cache-folder.ts';

/** One process asks and runs programs, the other drives workflows and writes Parquet: neither starves the other's heartbeats. */
export const defaultSplit: readonly (readonly Role[])[] = [
  ['llm', 'sandbox', 'seal'],
  ['workflow', 'io'],
];

const workerEntry = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
/**
 * Less room for garbage than V8 takes on a large machine (from 2 GB on it collects at four times the living only): a long sweep then stays
 * under 500 MB per process, at no measurable cost. Calls leave much that dies young, and get twice the room for it.
 */
const nodeOptions = (roles: readonly Role[]): string[] => [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${roles.includes('llm') ? 32 : 8}`,
  '--max-old-space-size=2000',
];
/** glibc has up to eight heaps a core, and what one thread gives back stays in its own: with two, a worker takes 30 MB less. Other libraries ignore it. */
const memory: Environment = { MALLOC_ARENA_MAX: '2' };
/** Restarts of one process within `restartWindowMs` before it is given up. */
const restartsAllowed = 20;
const restartWindowMs = 10 * 60_000;
const restartDelayMs = 500;
/** With which a worker ends when it has said in words what a person can mend: another one would say the same. */
const saidStatus = 2;
/** Beyond what calls in flight may take, for what comes after them: answers are kept, sandboxes closed. */
const closingMs = 15_000;

export interface Stopping {
  /** What a call in flight may take at most. */
  readonly callLimitMs: number;
  /** Aborted when calls in flight are not waited for any more. */
  readonly leave?: AbortSignal;
}

export interface WorkerProcesses {
  readonly pids: () => readonly number[];
  /** Ends them: calls in flight finish first. */
  stop(stopping: Stopping): Promise<void>;
}

export interface WorkerProcessesOptions {
  readonly split: readonly (readonly Role[])[];
  readonly env: Environment;
  /** The program of a worker process; our own when absent. */
  readonly entry?: string;
  readonly onLine: (line: string) => void;
  /** A process died more often than it may. */
  readonly onGiveUp: (error: Error) => void;
}

export function startWorkerProcesses(options: WorkerProcessesOptions): WorkerProcesses {
  const onLine = notesOnce(options.onLine);
  const kept = options.split.map((roles) => keepRunning(roles, { ...options, onLine }));
  return {
    pids: () => kept.flatMap(({ pid }) => pid() ?? []),
    stop: async (stopping) => void (await Promise.all(kept.map(({ stop }) => stop(stopping)))),
  };
}

function keepRunning(roles: readonly Role[], { env, entry = workerEntry, onLine, onGiveUp }: WorkerProcessesOptions) {
  let stopping = false;
  let endedAtMs: number[] = [];
  let lastSaid = '';
  let child = start();

  function start(): ChildProcess {
    const started = spawnWorker(entry, roles, env, (line) => {
      lastSaid = line;
      onLine(line);
    });
    started.once('exit', (code, signal) => void afterExit(code, signal));
    return started;
  }
  async function afterExit(code: number | null, signal: string | null): Promise<void> {
    if (stopping) return;
    const nowMs = performance.now();
    endedAtMs = [...endedAtMs.filter((atMs) => atMs > nowMs - restartWindowMs), nowMs];
    const ending = signal === null ? `exit status ${code}` : signal;
    if (code === saidStatus) return onGiveUp(new MissingPartError(`the ${roles.join('+')} worker cannot begin: ${lastSaid}`));
    if (endedAtMs.length > restartsAllowed)
      return onGiveUp(
        new Error(`the ${roles.join('+')} worker ended ${endedAtMs.length} times within ten minutes, the last time with ${ending}`),
      );
    onLine(`the ${roles.join('+')} worker ended (${ending}); it is started again, nothing is lost`);
    await new Promise((resolve) => setTimeout(resolve, restartDelayMs));
    if (!stopping) child = start();
  }
  const stop = async ({ callLimitMs, leave }: Stopping): Promise<void> => {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = (): void => void child.kill('SIGKILL');
    child.kill('SIGTERM');
    const patience = setTimeout(end, callLimitMs + closingMs);
    leave?.addEventListener('abort', end, { once: true });
    if (leave?.aborted === true) end();
    await gone;
    leave?.removeEventListener('abort', end);
    clearTimeout(patience);
  };
  return { pid: () => child.pid, stop };
}

/** In a process group of its own: Ctrl-C reaches the owner, which drains its workers in order. */
function spawnWorker(entry: string, roles: readonly Role[], env: Environment, onLine: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, [...nodeOptions(roles), entry], {
    env: { ...memory, ...env, EVENKEEL_ROLES: roles.join(','), EVENKEEL_OWNER: String(process.pid) },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) onLine(line);
  });
  return child;
}
