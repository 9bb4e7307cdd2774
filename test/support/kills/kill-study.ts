/**
 * A small EVALOOP sweep over HTTP whose processes are killed at given moments and which then continues to its end. All
 * counts come from the simulator's log and the ledger file, not from reports of the program under test.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { starterBenchmark } from '../../../cli/starter.ts';
import { type Command, runCommand, startCommand } from '../command.ts';
import { isLedgerHeld, ledgerNumber, openIntents } from '../ledger-look.ts';
import { descendantsOf, isThere, leftAfter, lookAt, type ProcessSeen, variableOf } from '../processes.ts';
import type { MortalEndpoint } from '../endpoints/mortal-endpoint.ts';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';

export const runId = 'kills';
/** Most calls in flight of one `llm` worker. */
export const concurrency = 8;

/**
 * `llm` also runs the programs, `workflow` also writes the tables: see `defaultSplit`. `slots`: the sandbox's
 * processes. `endpoint`: what answers, where it can be killed; it comes back at once. `stopped`: whatever got SIGSTOP
 * before.
 */
export type Victim = 'llm' | 'workflow' | 'server' | 'run' | 'slots' | 'endpoint' | 'stopped';
export const everything: readonly Victim[] = ['run', 'llm', 'workflow', 'server'];

export interface Moment {
  readonly what: string;
  /** True when the moment has come. */
  readonly reached: (at: {
    readonly folder: string;
    readonly received: number;
    readonly elapsedMs: number;
    readonly output: string;
  }) => boolean;
  /** Delay after that moment. */
  readonly thenMs: number;
}

export interface Kill {
  readonly moment: Moment;
  readonly victims: readonly Victim[];
  /**
   * Default: SIGKILL. A stopped process is not dead: after SIGCONT it continues where it was, although others have gone
   * on.
   */
  readonly signal?: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT';
  /** How the sweep continues if `run` is among the victims. */
  readonly next?: 'run' | 'resume';
  /** Run between the kill and the continuation. */
  readonly between?: (runsDir: string) => void | Promise<void>;
}

/** What is swept, of the endpoint's models `steady`, `drifting` and `judge`: the benchmarks and studies of a spec. */
export interface Subject {
  readonly models: readonly string[];
  /** YAML. */
  readonly content: string;
}

export const loops: Subject = {
  models: [
    '{ id: steady, provider: sim }',
    '{ id: drifting, provider: sim }',
    '{ id: judge, provider: sim, study: false }',
  ],
  content: `benchmarks:
  starter: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 16 } }
studies:
  - { name: loops, kind: evaloop, benchmark: starter, settings: { maxLoops: 4, judge: judge } }
`,
};

export interface Study {
  readonly subject?: Subject;
  readonly endpoint: SimulatedEndpoint & Partial<MortalEndpoint>;
  readonly runsDir: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Survival {
  /** Exit status of the command that finished the sweep. */
  readonly status: number | NodeJS.Signals | null;
  readonly output: string;
  readonly received: number;
  readonly answered: number;
  /** Calls in flight at the kills: only these may be asked again. */
  readonly inFlight: number;
  readonly kills: readonly string[];
  /** Processes that outlived the last command. */
  readonly left: readonly ProcessSeen[];
}

export const runFolder = ({ runsDir }: Study): string => join(runsDir, runId);

export function writeSpec({ runsDir, endpoint, subject = loops }: Study): string {
  mkdirSync(runsDir, { recursive: true });
  const path = join(runsDir, 'kills.yaml');
  writeFileSync(
    path,
    `name: ${runId}
seed: 1
providers:
  sim: { kind: simulator, baseUrl: ${JSON.stringify(endpoint.url)}, limits: { concurrency: ${concurrency} } }
models:
${subject.models.map((model) => `  - ${model}`).join('\n')}
${subject.content}`,
  );
  return path;
}

/** The state of a sweep while it is disturbed. */
interface Watched {
  readonly study: Study;
  readonly logStart: number;
  command: Command;
  readonly seen: Map<string, ProcessSeen>;
  stopped: readonly ProcessSeen[];
}

/** Starts the sweep, kills as requested, continues, and returns the result. */
export async function survive(study: Study, kills: readonly Kill[]): Promise<Survival> {
  const spec = writeSpec(study);
  const start = (how: 'run' | 'resume'): Command =>
    startCommand([...(how === 'run' ? ['run', spec] : ['resume', runId]), '--runs-dir', study.runsDir], study.env);
  const watched: Watched = {
    study,
    logStart: study.endpoint.log().length,
    command: start('run'),
    seen: new Map(),
    stopped: [],
  };
  const done: string[] = [];
  let inFlight = 0;
  try {
    for (const kill of kills) {
      const { line, lost } = await strike(watched, kill);
      done.push(line);
      inFlight += lost;
      if (!kill.victims.includes('run') || (kill.signal ?? 'SIGKILL') !== 'SIGKILL') continue;
      await watched.command.ended;
      await kill.between?.(study.runsDir);
      watched.command = start(kill.next ?? 'resume');
    }
    const status = await endOf(watched);
    const left = await leftAfter([...watched.seen.values()], 15_000);
    const log = study.endpoint.log(watched.logStart);
    const count = (outcome: string): number => log.filter((line) => line.outcome === outcome).length;
    const output = watched.command.output();
    return { status, output, received: count('received'), answered: count('answered'), inFlight, kills: done, left };
  } finally {
    for (const one of [...watched.seen.values()].filter(isThere)) process.kill(one.pid, 'SIGKILL');
    watched.command.process.kill('SIGKILL');
  }
}

async function endOf(watched: Watched): Promise<number | NodeJS.Signals | null> {
  const watching = setInterval(() => notice(watched), 200);
  const status = await watched.command.ended;
  clearInterval(watching);
  return status;
}

const pollMs = 10;

const received = ({ study, logStart }: Watched): number =>
  study.endpoint.log(logStart).filter(({ outcome }) => outcome === 'received').length;

async function waitFor(watched: Watched, moment: Moment): Promise<void> {
  const { study, command } = watched;
  const began = performance.now();
  for (let poll = 0; ; poll += 1) {
    const at = {
      folder: runFolder(study),
      received: received(watched),
      elapsedMs: performance.now() - began,
      output: command.output(),
    };
    if (!command.isRunning())
      throw new Error(`the command ended before the moment "${moment.what}" came:\n${command.output()}`);
    if (poll % 20 === 0) notice(watched);
    if (moment.reached(at)) break;
    await sleep(pollMs);
  }
  await sleep(moment.thenMs);
}

/** Records the processes that belong to the sweep now. */
function notice({ study, command, seen }: Watched): ProcessSeen[] {
  const server = serverOf(study);
  const all = [...descendantsOf(command.pid), ...(server === null ? [] : [server])];
  for (const one of all) seen.set(`${one.pid}/${one.startTicks}`, one);
  return all;
}

function serverOf({ runsDir }: Study): ProcessSeen | null {
  try {
    const { pid } = JSON.parse(readFileSync(join(runsDir, '.temporal', 'server.json'), 'utf8')) as { pid: number };
    return lookAt(pid);
  } catch {
    return null;
  }
}

/** Signals all victims at once. Returns when the killed ones are gone, with the calls that were in flight. */
async function strike(
  watched: Watched,
  { moment, victims, signal = 'SIGKILL' }: Kill,
): Promise<{ line: string; lost: number }> {
  await waitFor(watched, moment);
  const processes = notice(watched);
  const targets = victims.flatMap((victim) => processesOf(victim, processes, watched));
  for (const { pid } of targets) process.kill(pid, signal);
  const endpointDies = victims.includes('endpoint') && signal === 'SIGKILL';
  if (endpointDies) await watched.study.endpoint.kill?.();
  if (signal === 'SIGKILL') await expectGone(targets);
  if (signal === 'SIGSTOP') await letGoOfLedger(watched, targets);
  const lost = signal === 'SIGCONT' ? 0 : mayRepeat(watched, victims, processes);
  if (endpointDies) await watched.study.endpoint.restart?.();
  const line =
    `${signal} to ${victims.join('+')} ${moment.what} (${received(watched)} requests, ${targets.length} processes, ` +
    `${lost} calls in flight)`;
  return { line, lost };
}

/** A process stopped within a transaction blocks all others meanwhile, which is not what is tested. */
async function letGoOfLedger(watched: Watched, targets: readonly ProcessSeen[]): Promise<void> {
  watched.stopped = targets;
  while (isLedgerHeld(runFolder(watched.study))) {
    for (const { pid } of targets) process.kill(pid, 'SIGCONT');
    await sleep(5);
    for (const { pid } of targets) process.kill(pid, 'SIGSTOP');
  }
}

async function expectGone(processes: readonly ProcessSeen[]): Promise<void> {
  const left = await leftAfter(processes, 10_000);
  if (left.length > 0) throw new Error(`still there after SIGKILL: ${left.map(({ command }) => command).join('; ')}`);
}

function processesOf(
  victim: Victim,
  processes: readonly ProcessSeen[],
  { study, command, stopped }: Watched,
): ProcessSeen[] {
  if (victim === 'stopped') return stopped.filter(isThere);
  if (victim === 'run') return [lookAt(command.pid) ?? []].flat();
  if (victim === 'server') return [serverOf(study) ?? []].flat();
  if (victim === 'endpoint') return [];
  if (victim === 'slots') return processes.filter(({ command: line }) => line.includes('sandbox/embedded/main'));
  return processes.filter(
    ({ pid, command: line }) => line.includes('workers/main') && variableOf(pid, 'EVENKEEL_ROLES')?.includes(victim),
  );
}

/**
 * Calls that are not in the ledger are lost with their worker. A surviving worker finishes them, unless a new owner
 * comes first: those at the endpoint, and those answered but not yet durable.
 */
function mayRepeat(watched: Watched, victims: readonly Victim[], processes: readonly ProcessSeen[]): number {
  if (victims.includes('llm') || victims.includes('endpoint')) return openIntents(runFolder(watched.study));
  const asking = processesOf('llm', processes, watched).some(
    ({ pid }) => !watched.stopped.some((one) => one.pid === pid),
  );
  return victims.includes('run') && asking ? 2 * concurrency : 0;
}

/** Every request has its own intent in the ledger, so everything asked is accounted for. */
export const intents = (study: Study): number => ledgerNumber(runFolder(study), 'select count(*) from intent') ?? 0;
export const answeredIntents = (study: Study): number =>
  ledgerNumber(runFolder(study), "select count(*) from intent where state = 'answered'") ?? 0;
export const calls = (study: Study): number => ledgerNumber(runFolder(study), 'select count(*) from reply') ?? 0;

export const verify = ({ runsDir, env }: Study): ReturnType<typeof runCommand> =>
  runCommand(['verify', runId, '--runs-dir', runsDir], env);
