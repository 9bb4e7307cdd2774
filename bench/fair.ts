/**
 * Whether references pass every time, even on a busy machine: rounds through each lane,
 * every other one with busy processes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { counted } from '../domain/counted.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { SandboxTier } from '../schemas/states.ts';
import type { Task } from '../schemas/task.ts';
import { tasksTestedInside } from './judging/inside.ts';
import { type Asked, judgeAll, type Judgement, type Lane } from './judging/judge.ts';
import { loadTasks, type Subject, subjectsOf } from './judging/subjects.ts';
import { loadText } from './machine.ts';

export interface FairOptions {
  readonly humaneval: string;
  readonly mbpp: string;
  readonly mbppPlus: string;
  readonly rounds: string;
  readonly lanes: string;
  readonly tier: string;
  readonly busy: string;
  /** Milliseconds. References that take longer are excluded and listed: their time depends on the speed of Python. */
  readonly heavy: string;
}

/** Programs of one suite that make batches; with fewer, each runs alone. */
const copies: Readonly<Record<Lane, number>> = { isolated: 1, batch: 4 };

/** Throws if any reference fails in any round. */
export async function fair(options: FairOptions, print: (line: string) => void): Promise<void> {
  const box = await openSandbox(options.tier as SandboxTier, { onProgress: print });
  print(`${box.tier}: ${box.engine}, ${box.concurrency} slots`);
  try {
    const heavyMs = Number(options.heavy);
    const outside = await passing(box, await outsideTasks(options), heavyMs, print);
    const inside = options.lanes.includes('assert')
      ? await passing(box, await insideTasks(options), heavyMs, print)
      : [];
    const rounds = Number(options.rounds);
    let failures = 0;
    for (let round = 1; round <= rounds; round++) {
      const busy = round % 2 === 0 ? Number(options.busy) * availableParallelism() : 0;
      failures += await besideBusy(busy, async () => {
        let failed = 0;
        for (const lane of options.lanes.split(',')) {
          const subjects = lane === 'assert' ? inside : outside;
          failed += await oneRound(box, { lane, round, busy }, subjects, print);
        }
        return failed;
      });
    }
    if (failures > 0) throw new Error(`${counted(failures, 'reference verdict')} other than pass`);
  } finally {
    await box.close();
  }
}

const outsideTasks = async ({ humaneval, mbpp, mbppPlus }: FairOptions): Promise<Task[]> => [
  ...(await loadTasks('humaneval', humaneval)),
  ...(await loadTasks('mbpp-sanitized', mbpp)),
  ...(await loadTasks('mbpp-plus', mbppPlus)),
];

const insideTasks = async ({ humaneval, mbpp }: FairOptions): Promise<Task[]> => [
  ...(await tasksTestedInside('humaneval', humaneval)),
  ...(await tasksTestedInside('mbpp-sanitized', mbpp)),
];

/** References that pass without time limits; prints the names of the others. */
async function passing(
  box: Sandbox,
  tasks: readonly Task[],
  heavyMs: number,
  print: (line: string) => void,
): Promise<Subject[]> {
  const subjects = await subjectsOf(box, tasks);
  const isFit = ({ reference: { outcome, caseMs } }: Subject): boolean =>
    outcome === 'pass' && caseMs.reduce((sum, ms) => sum + ms, 0) < heavyMs;
  const unfit = subjects.filter((subject) => !isFit(subject));
  const names = unfit.map(({ task, suite, reference }) => `${task.taskId} ${suite.name} (${reference.outcome})`);
  print(
    `${subjects.length} references and suites; excluded because they fail or take over ${heavyMs} ms: ` +
      `${names.join(', ') || 'none'}`,
  );
  return subjects.filter(isFit);
}

interface Round {
  readonly lane: string;
  readonly round: number;
  readonly busy: number;
}

async function oneRound(
  box: Sandbox,
  { lane, round, busy }: Round,
  subjects: readonly Subject[],
  print: (line: string) => void,
): Promise<number> {
  const way: Lane = lane === 'batch' ? 'batch' : 'isolated';
  const asked = subjects.flatMap((subject): Asked[] =>
    Array.from({ length: copies[way] }, (_, copy) => ({
      subject,
      source: `${subject.task.reference}\n# ${lane} ${round} ${copy}\n`,
    })),
  );
  const began = performance.now();
  const verdicts = await judgeAll(box, asked, way);
  const seconds = (performance.now() - began) / 1000;
  const failed = verdicts.flatMap((verdict, index) =>
    verdict.outcome === 'pass' ? [] : [failureText(verdict, asked[index] as Asked)],
  );
  const batched = verdicts.filter(({ run }) => run.lane === 'batch').length;
  print(
    `round ${round}, ${busy} busy processes, ${lane}: ${verdicts.length - failed.length} of ${verdicts.length} pass, ` +
      `${batched} in batches, ${seconds.toFixed(0)} s, ${loadText()}`,
  );
  for (const text of failed) print(`  ${text}`);
  return failed.length;
}

const failureText = ({ outcome, firstFailingCase, detail }: Judgement, { subject: { task, suite } }: Asked): string =>
  `${task.taskId} ${suite.name}: ${outcome} at ${firstFailingCase ?? '-'} ${detail ?? ''}`;

/** Runs `work` while `count` processes use all the processor time that they get. */
async function besideBusy<T>(count: number, work: () => Promise<T>): Promise<T> {
  const children: ChildProcess[] = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}
