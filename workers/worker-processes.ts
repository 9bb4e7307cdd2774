/** The worker processes that a run owns: starts them, restarts one that dies, drains them at the end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MissingPartError } from '../domain/errors.ts';
import { silenceOfWorker, watchSilence } from './beats/listening.ts';
import type { SilentWorker } from './beats/silent-workers.ts';
import { notesOnce } from './notes.ts';
import type { Role } from './roles.ts';
import type { Environment } from './temporal/cache-folder.ts';

/**
 * One process asks models and runs programs; the other drives workflows and writes Parquet.
 * Neither delays the other's heartbeats.
 */
export const defaultSplit: readonly (readonly Role[])[] = [
  ['llm', 'sandbox', 'seal'],
  ['workflow', 'io'],
];

const workerEntry = fileURLToPath(new URL(`./main${extname(import.meta.url)}`, import.meta.url));
/**
 * On a large machine V8 would let garbage grow further (from 2 GB on it collects only at four times the live data).
 * With these bounds a long sweep stays under 500 MB per process, at no measurable cost. Calls leave much short-lived
 * garbage, so their process gets more space for it.
 */
const nodeOptions = (roles: readonly Role[]): string[] => [
  '--disable-warning=ExperimentalWarning',
  `--max-semi-space-size=${roles.includes('llm') ? 32 : 8}`,
  '--max-old-space-size=2000',
];
/**
 * glibc keeps up to eight heaps per core and does not share freed memory between them; with two heaps a worker takes 30
 * MB less. Other C libraries ignore this variable.
 */
const memory: Environment = { MALLOC_ARENA_MAX: '2' };
/** Restarts of one process within `restartWindowMs` before the run is stopped. */
const restartsAllowed = 20;
const restartWindowMs = 10 * 60_000;
const restartDelayMs = 500;
/** A process that ends by itself so soon, so often in a row, cannot work on this machine. */
const soonMs = 10_000;
const soonAllowed = 4;
const firstLinesKept = 20;
/** How Node ends where it gets no memory or addresses. Other signals are sent by others. */
const ownSignals: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);
/** Exit status of a worker that printed an error which a person can fix; a restarted one would print the same. */
const userErrorStatus = 2;
/** Added to the time of calls in flight, for storing their answers and closing sandboxes. */
const closingMs = 15_000;
const silenceLookMs = 500;

export interface Stopping {
  /** Longest time that a call in flight may take. */
  readonly callLimitMs: number;
  /** Aborting stops waiting for calls in flight. */
  readonly leave?: AbortSignal;
  /** One that has been silent for so long is ended. Default: none is, since its calls in flight may be answered. */
  readonly endSilentMs?: number;
}

export interface WorkerProcesses {
  readonly pids: () => readonly number[];
  /** Stops them once their calls in flight have finished. */
  stop(stopping: Stopping): Promise<void>;
}

export interface WorkerProcessesOptions {
  readonly split: readonly (readonly Role[])[];
  readonly env: Environment;
  /** The program of a worker process; default: workers/main.ts. */
  readonly entry?: string;
  readonly onLine: (line: string) => void;
  /** Called when a process cannot start, or died more often than allowed. */
  readonly onGiveUp: (error: Error) => void;
  /** Called every few seconds with the workers that do not answer, while there are any. */
  readonly onSilent?: (workers: readonly SilentWorker[]) => void;
}

export function startWorkerProcesses(options: WorkerProcessesOptions): WorkerProcesses {
  const onLine = notesOnce(options.onLine);
  const kept = options.split.map((roles) => keepRunning(roles, { ...options, onLine }));
  const endWatch = watchSilence(kept, { onLine, onSilent: options.onSilent ?? (() => {}) });
  return {
    pids: () => kept.flatMap(({ pid }) => pid() ?? []),
    stop: async (stopping) => {
      await Promise.all(kept.map(({ stop }) => stop(stopping)));
      endWatch();
    },
  };
}

function keepRunning(roles: readonly Role[], { env, entry = workerEntry, onLine, onGiveUp }: WorkerProcessesOptions) {
  let stopping = false;
  let endedAtMs: number[] = [];
  let soonInARow = 0;
  /** Whether one of its processes has started: from then on the run is under way, and a fault leaves it incomplete. */
  let hasStarted = false;
  /** The first lines of the newest process, and its last one. */
  let said: string[] = [];
  const silence = silenceOfWorker();
  let child = start();

  function start(): ChildProcess {
    const startedAtMs = performance.now();
    said = [];
    const started = spawnWorker(entry, roles, env, (line) => {
      said = [...said.slice(0, firstLinesKept), line];
      onLine(line);
    });
    silence.listenTo(started);
    started.once('error', (error) => stopping || onGiveUp(unableIn(roles, error.message)));
    started.once('exit', (code, signal) => void afterExit(code, signal, startedAtMs));
    return started;
  }
  async function afterExit(code: number | null, signal: string | null, startedAtMs: number): Promise<void> {
    if (stopping) return;
    const nowMs = performance.now();
    const isByItself = signal === null || ownSignals.has(signal);
    soonInARow = isByItself && nowMs - startedAtMs < soonMs ? soonInARow + 1 : 0;
    endedAtMs = [...endedAtMs.filter((atMs) => atMs > nowMs - restartWindowMs), nowMs];
    const ending = signal === null ? `exit status ${code}` : signal;
    hasStarted ||= !isByItself || nowMs - startedAtMs >= soonMs;
    const fault = faultIn({ roles, code, ending, said, soonInARow, ends: endedAtMs.length, hasStarted });
    if (fault !== null) return onGiveUp(fault);
    onLine(`the ${roles.join('+')} worker ended (${ending}); restarting it, nothing is lost`);
    await new Promise((resolve) => setTimeout(resolve, restartDelayMs));
    if (!stopping) child = start();
  }
  const hasEnded = (): boolean => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const stop = async ({ callLimitMs, leave, endSilentMs = Infinity }: Stopping): Promise<void> => {
    stopping = true;
    if (hasEnded()) return;
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const end = (): void => void child.kill('SIGKILL');
    child.kill('SIGTERM');
    const patience = setTimeout(end, callLimitMs + closingMs);
    const listening = setInterval(() => {
      if (silence.ms() < endSilentMs) return;
      clearInterval(listening);
      onLine(endedText({ roles, pid: child.pid, silentMs: silence.ms() }));
      end();
    }, silenceLookMs);
    leave?.addEventListener('abort', end, { once: true });
    if (leave?.aborted === true) end();
    await gone;
    leave?.removeEventListener('abort', end);
    clearTimeout(patience);
    clearInterval(listening);
  };
  return { roles, silence, pid: () => (hasEnded() ? undefined : child.pid), stop };
}

const endedText = ({ roles, pid, silentMs }: { roles: readonly Role[]; pid: number | undefined; silentMs: number }) =>
  `ended worker ${pid} (${roles.join('+')}), which has not answered for ${Math.round(silentMs / 1_000)} s: ` +
  'the run needs it no more, and none of its results is lost';

/** Node ends with a list of its functions: what is wrong stands before it. */
interface Ending {
  readonly roles: readonly Role[];
  readonly code: number | null;
  /** `exit status 1`, or the signal. */
  readonly ending: string;
  readonly said: readonly string[];
  /** Of processes that ended by themselves within seconds of their start. */
  readonly soonInARow: number;
  /** Within the last minutes. */
  readonly ends: number;
  readonly hasStarted: boolean;
}

/** Without a process there is no exit: too many files or processes are open. */
const unableIn = (roles: readonly Role[], why: string): Error =>
  new MissingPartError(`the ${roles.join('+')} worker cannot start: ${why}`);

/** Why no other process is started; null if one is. */
function faultIn({ roles, code, ending, said, soonInARow, ends, hasStarted }: Ending): Error | null {
  const worker = `the ${roles.join('+')} worker`;
  const Fault = hasStarted ? Error : MissingPartError;
  if (code === userErrorStatus) return new Fault(`${worker} cannot start: ${said.at(-1) ?? ''}`);
  if (soonInARow > soonAllowed)
    return new Fault(
      `${worker} ended ${soonInARow} times in a row within seconds of its start, the last time with ${ending}; ` +
        `${whyUnable(said)}. It said: ${reasonIn(said)}`,
    );
  if (ends > restartsAllowed)
    return new Error(`${worker} ended ${ends} times within ten minutes, the last time with ${ending}`);
  return null;
}

const reasonIn = (said: readonly string[]): string =>
  said.find((line) => /error|fatal|cannot|out of memory/i.test(line)) ?? said.at(-1) ?? 'nothing';

/** As V8 says it where the shell limits address space, as some clusters do. */
const addressLack = /virtual memory|CodeRange/i;

const whyUnable = (said: readonly string[]): string =>
  said.some((line) => addressLack.test(line))
    ? 'it gets too few addresses: the shell or the container limits address space, which `ulimit -v unlimited` lifts'
    : 'something on this machine does not let it work';

/** In a separate process group, so that Ctrl-C reaches only the owner, which drains its workers in order. */
function spawnWorker(
  entry: string,
  roles: readonly Role[],
  env: Environment,
  onLine: (line: string) => void,
): ChildProcess {
  const child = spawn(process.execPath, [...nodeOptions(roles), entry], {
    env: { ...memory, ...env, EVENKEEL_ROLES: roles.join(','), EVENKEEL_OWNER: String(process.pid) },
    // The last is for its beats.
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  });
  child.stderr?.setEncoding('utf8');
  child.stderr?.on('data', (text: string) => {
    for (const line of text.split('\n').filter(Boolean)) onLine(line);
  });
  return child;
}
