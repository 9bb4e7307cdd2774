/** Programs judged per second: our sandbox tiers against EvalPlus on the same programs and inputs, in rounds that take turns. */
import { join } from 'node:path';
import { loadBenchmark } from '../activities/benchmarks/load.ts';
import { limitsFor } from '../activities/execution-key.ts';
import { createReferenceCache } from '../activities/reference-cache.ts';
import { establishReference } from '../activities/references.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { ReferenceRecord } from '../activities/storage/ledger.ts';
import { expectedOutputs, programFor } from '../activities/suite-cases.ts';
import { verdictOf } from '../domain/verdict.ts';
import type { Suite, Task } from '../schemas/task.ts';
import type { SandboxTier } from '../schemas/states.ts';
import { cacheFolder } from '../workers/temporal/cache-folder.ts';
import { median } from './machine.ts';
import { type Peer, startEvalPlus } from './sandbox/evalplus.ts';

export interface SandboxBenchOptions {
  readonly rounds: string;
  readonly tasks: string;
  readonly copies: string;
  readonly tier: string;
  readonly workers: string;
  /** MBPP+ as EvalPlus publishes it. */
  readonly file: string;
}

/** References that take longer say how fast Python is, not how fast a sandbox is. */
const lightMs = 20;

export async function sandbox(options: SandboxBenchOptions, print: (line: string) => void): Promise<void> {
  const box = await openSandbox(options.tier as SandboxTier, { onProgress: print });
  const peer = await startEvalPlus(join(cacheFolder(process.env), 'bench'), options.file, print);
  print(
    `${box.tier}: ${box.engine}, ${box.concurrency} slots; EvalPlus 0.3.1 with ${options.workers} workers; passing references of MBPP+ under ${lightMs} ms`,
  );
  try {
    const subjects = await lightSubjects(box, options.file, Number(options.tasks));
    await compare('isolated lane, base inputs', subjects, { ...parse(options), copies: 1, baseOnly: true });
    await compare('isolated lane, base and plus inputs', subjects, { ...parse(options), copies: 1, baseOnly: false });
    await compare('batch lane, base inputs', subjects.slice(0, 40), { ...parse(options), baseOnly: true });
    await compare('batch lane, base and plus inputs', subjects.slice(0, 40), { ...parse(options), baseOnly: false });
  } finally {
    peer.close();
    await box.close();
  }

  async function compare(name: string, subjects: readonly Subject[], { rounds, workers, copies, baseOnly }: Comparison): Promise<void> {
    const ratios = new Map<number, number[]>(workers.map((count) => [count, []]));
    const ours: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const own = await measureOurs(box, subjects, copies, baseOnly, round);
      ours.push(own);
      for (const count of workers) {
        const theirs = await measureTheirs(peer, subjects, copies, count, baseOnly);
        ratios.get(count)?.push(own / theirs);
      }
    }
    print(`${name}: ${subjects.length} programs x ${copies}, ${Math.round(median(ours))} a second (${ours.map(Math.round).join(', ')})`);
    for (const count of workers) print(`  ${ratioText(ratios.get(count) ?? [])} x EvalPlus with ${count} workers`);
  }
}

interface Comparison {
  readonly rounds: number;
  readonly workers: readonly number[];
  readonly copies: number;
  readonly baseOnly: boolean;
}

const parse = ({ rounds, workers, copies }: SandboxBenchOptions): Omit<Comparison, 'baseOnly'> => ({
  rounds: Number(rounds),
  workers: workers.split(',').map(Number),
  copies: Number(copies),
});

const ratioText = (ratios: readonly number[]): string =>
  `${median(ratios).toFixed(1)} [${Math.min(...ratios).toFixed(1)}..${Math.max(...ratios).toFixed(1)}]`;

interface Subject {
  readonly task: Task;
  readonly references: ReadonlyMap<Suite, ReferenceRecord>;
}

async function lightSubjects(box: Sandbox, file: string, count: number): Promise<Subject[]> {
  const { tasks } = await loadBenchmark({ name: 'mbpp-plus', format: 'mbpp-plus', path: file, seed: 0 });
  const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
  const subjects = await Promise.all(
    tasks.map(async (task) => {
      const pairs = await Promise.all(
        task.suites.map(async (suite) => [suite, await establishReference({ box, cache }, task, suite)] as const),
      );
      return { task, references: new Map(pairs) };
    }),
  );
  const isLight = ({ references }: Subject) =>
    [...references.values()].every(({ outcome, caseMs }) => outcome === 'pass' && caseMs.reduce((sum, ms) => sum + ms, 0) < lightMs);
  return subjects.filter(isLight).slice(0, count);
}

/** Programs a second, comparison included. No two programs have the same text. */
async function measureOurs(box: Sandbox, subjects: readonly Subject[], copies: number, baseOnly: boolean, round: number): Promise<number> {
  const began = performance.now();
  const judged = subjects.flatMap((subject) =>
    Array.from({ length: copies }, (_, copy) => judge(box, subject, `# ${round} ${copy}`, baseOnly)),
  );
  const passed = (await Promise.all(judged)).filter(Boolean).length;
  if (passed < judged.length) throw new Error(`${judged.length - passed} of ${judged.length} references fail`);
  return (judged.length / (performance.now() - began)) * 1000;
}

async function judge(box: Sandbox, { task, references }: Subject, mark: string, baseOnly: boolean): Promise<boolean> {
  const suites = baseOnly ? task.suites.slice(0, 1) : task.suites;
  const verdicts = suites.map(async (suite) => {
    const reference = references.get(suite);
    if (reference === undefined) throw new Error(`${task.taskId} has no reference for ${suite.name}`);
    const run = await box.run(programFor(task, suite, `${task.reference}\n${mark}`), limitsFor(reference, suite.inputs.length));
    return verdictOf(run, expectedOutputs(suite, reference), suite.oracle).outcome === 'pass';
  });
  return (await Promise.all(verdicts)).every(Boolean);
}

async function measureTheirs(
  peer: Peer,
  subjects: readonly Subject[],
  copies: number,
  workers: number,
  baseOnly: boolean,
): Promise<number> {
  const tasks = subjects.map(({ task }) => task.sourceTaskId);
  const { seconds, passed } = await peer.measure({ tasks, copies, workers, baseOnly });
  if (passed < tasks.length * copies)
    throw new Error(`EvalPlus fails ${tasks.length * copies - passed} of ${tasks.length * copies} references`);
  return passed / seconds;
}
