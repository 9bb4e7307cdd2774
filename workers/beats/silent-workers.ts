/**
 * Workers that do not answer: those of a run, as its owner tells others in a file of the run's folder, and those of
 * other runs of the same folder of runs, which may hold steps of this one.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { isAlive } from '../temporal/process-identity.ts';
import { type NotedWorker, notedWorkersIn } from './noted-workers.ts';
import { isStopped, stateOf } from './process-state.ts';

const schema = z.object({
  /** When the owner looked, milliseconds since 1970. */
  atMs: z.number(),
  workers: z.array(
    z.object({
      pid: z.int(),
      roles: z.array(z.string()),
      /** Null where nobody listens to it: its owner is stopped too, or has ended, or a person started it. */
      silentMs: z.number().nullable(),
      /** As `ps` shows it; null where that is not known. */
      state: z.string().nullable(),
    }),
  ),
});
export type SilentWorker = z.infer<typeof schema>['workers'][number];

/** As one run sees it. */
export interface SilentAround extends SilentWorker {
  /** The run whose command started it; null if a person did. */
  readonly run: string | null;
}

/** What an owner wrote longer ago is of one that was killed. */
const freshMs = 15_000;
const fileIn = (folder: string): string => join(folder, 'silent-workers.json');

/** Without workers, removes the file. A folder that cannot be written is no reason to end. */
export function tellSilent(folder: string, workers: readonly SilentWorker[]): void {
  try {
    if (workers.length === 0) rmSync(fileIn(folder), { force: true });
    else writeFileSync(fileIn(folder), JSON.stringify({ atMs: Date.now(), workers }));
  } catch {
    // They are named on the owner's terminal too.
  }
}

/**
 * Those of the run in this folder, then those of others that share its workers. The latter are what their owners told
 * within the last seconds, and every worker that is stopped, since its owner may be stopped with it.
 */
export function silentAround(folder: string, nowMs = Date.now()): readonly SilentAround[] {
  const [runsDir, ownRun] = [dirname(folder), basename(folder)];
  const noted = notedWorkersIn(runsDir);
  const runs = new Set([ownRun, ...noted.flatMap(({ run }) => run ?? [])]);
  const told = [...runs].flatMap((run) => toldIn(join(runsDir, run), nowMs).map((worker) => ({ ...worker, run })));
  const pids = new Set(told.map(({ pid }) => pid));
  return [...told, ...noted.filter(({ pid }) => !pids.has(pid)).flatMap(stoppedNow)];
}

function toldIn(folder: string, nowMs: number): readonly SilentWorker[] {
  try {
    const { atMs, workers } = schema.parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
    return nowMs - atMs > freshMs ? [] : workers;
  } catch {
    return [];
  }
}

function stoppedNow(worker: NotedWorker): SilentAround[] {
  const { pid, roles, run } = worker;
  const state = stateOf(pid);
  return isStopped(state) && isAlive(worker) ? [{ pid, roles, silentMs: null, state, run }] : [];
}

/** `worker 4711 (workflow+io) has not answered for 40 s: stopped (state T in ps); ...` */
export function silentText(worker: SilentWorker): string {
  return `${nameOf(worker)} ${sinceText(worker)}: ${whyText(worker)}`;
}

/** As seen by a run; one that is not its own is named with its run, and with how it holds up this one. */
export function silentTextFor(ownRun: string, worker: SilentAround): string {
  const { pid, run, state } = worker;
  if (run === ownRun) return silentText(worker);
  const whose = run === null ? ', which a person started,' : ` of run "${run}"`;
  const why = `${whyText(worker)}${isStopped(state) ? ',' : ';'}`;
  return (
    `${nameOf(worker)}${whose} ${sinceText(worker)}: ${why} \`kill -KILL ${pid}\` ends it; ` +
    'it may hold steps of this run'
  );
}

const nameOf = ({ pid, roles }: SilentWorker): string => `worker ${pid} (${roles.join('+')})`;

const sinceText = ({ silentMs }: SilentWorker): string =>
  silentMs === null ? 'does not answer' : `has not answered for ${Math.round(silentMs / 1_000)} s`;

function whyText({ pid, state }: SilentWorker): string {
  if (isStopped(state)) return `stopped (state T in ps); \`kill -CONT ${pid}\` lets it go on`;
  return state === null ? 'busy or stuck' : `busy or stuck (state ${state} in ps)`;
}
