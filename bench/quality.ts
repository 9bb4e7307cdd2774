/**
 * Pylint kept loaded against Pylint spawned for each program, on the same programs: whether the messages are the same,
 * and how much faster the first is.
 */
import { openOn } from '../activities/sandboxes/container/container.ts';
import { findEngine } from '../activities/sandboxes/container/container-engine.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import { MissingPartError } from '../domain/errors.ts';
import { solutionText } from '../domain/metrics/solution-text.ts';
import type { Measures } from '../schemas/measures.ts';
import { loadTasks } from './judging/subjects.ts';
import { loadText, median } from './machine.ts';
import { makeMutants } from './mutants/make.ts';
import { asSpawned } from './quality/as-spawned.ts';
import { type SpawnedPylint, startSpawnedPylint } from './quality/spawned.ts';

export interface QualityBenchOptions {
  readonly humaneval: string;
  readonly mbpp: string;
  readonly programs: string;
  readonly rounds: string;
  readonly rate: string;
  readonly seed: string;
}

/** Programs of the resident Pylint per round: more than of the spawned one, since one is too short to time. */
const residentPerRound = 320;

/** Throws if a program's messages differ. */
export async function quality(options: QualityBenchOptions, print: (line: string) => void): Promise<void> {
  const { engine, why } = await findEngine();
  if (engine === null) throw new MissingPartError(`the quality service needs a container engine: ${why}`);
  const texts = await programs(options);
  const one = await openOn(engine, { processes: 1, onProgress: print });
  const spawned = await startSpawnedPylint(engine);
  try {
    await timed(one, texts.slice(0, 1));
    await compare(one, spawned, texts, options, print);
  } finally {
    await Promise.all([one.close(), spawned.stop()]);
  }
  await rate(await openOn(engine), texts, Number(options.rate), print);
}

/** References of both benchmarks and mutants of them, all different. */
async function programs({
  humaneval,
  mbpp,
  seed,
  programs: count,
  rate: most,
}: QualityBenchOptions): Promise<string[]> {
  const tasks = [...(await loadTasks('humaneval', humaneval)), ...(await loadTasks('mbpp-sanitized', mbpp))];
  const wanted = Math.max(Number(count), Number(most), residentPerRound);
  const mutants = makeMutants(tasks, wanted, Number(seed)).map(({ source }) => source);
  // References and mutants alternate until the references are used up.
  const mixed = mutants.flatMap((mutant, index) => [tasks[index]?.reference ?? mutant, mutant]);
  return [...new Set(mixed.map(solutionText))].slice(0, wanted);
}

async function compare(
  one: Sandbox,
  spawned: SpawnedPylint,
  texts: readonly string[],
  { programs: count, rounds }: QualityBenchOptions,
  print: (line: string) => void,
): Promise<void> {
  const perRound = Math.ceil(Number(count) / Number(rounds));
  const residentMs: number[] = [];
  const spawnedMs: number[] = [];
  const differing: string[] = [];
  let compared = 0;
  for (let round = 0; round < Number(rounds); round++) {
    const some = texts.slice(round * perRound, (round + 1) * perRound);
    const resident = await timed(one, [...some, ...texts.slice(-Math.max(0, residentPerRound - some.length))]);
    residentMs.push(resident.ms);
    const theirs = await spawned.measure(some);
    spawnedMs.push(median(theirs.map(({ ms }) => ms)));
    compared += some.length;
    for (const [index, text] of some.entries())
      if (JSON.stringify(asSpawned(resident.measured[index])) !== JSON.stringify(theirs[index]?.messages))
        differing.push(text);
    print(
      `round ${round + 1}: resident ${ms(residentMs.at(-1))} a program, spawned ${ms(spawnedMs.at(-1))}, ${loadText()}`,
    );
  }
  const ratio = median(spawnedMs) / median(residentMs);
  print(
    `resident ${ms(median(residentMs))}, spawned ${ms(median(spawnedMs))} a program on one core: ` +
      `${ratio.toFixed(1)} x; ${compared - differing.length} of ${compared} programs with identical messages`,
  );
  for (const text of differing.slice(0, 5)) print(`differs:\n${text}`);
  if (differing.length > 0)
    throw new Error(`${differing.length} programs have other messages than spawned Pylint gives`);
}

/** Programs per second on all cores, all different. */
async function rate(
  box: Sandbox,
  texts: readonly string[],
  count: number,
  print: (line: string) => void,
): Promise<void> {
  try {
    await timed(box, texts.slice(0, 2 * box.concurrency));
    const distinct = texts.slice(0, count);
    const { ms: each } = await timed(box, distinct);
    const minutes = (each * 100_000) / 60_000;
    print(
      `${distinct.length} different programs in ${box.concurrency} slots: ${Math.round(1000 / each)} a second; ` +
        `100,000 in ${minutes.toFixed(1)} minutes at that rate, ${loadText()}`,
    );
  } finally {
    await box.close();
  }
}

/** Milliseconds per program. */
async function timed(box: Sandbox, texts: readonly string[]): Promise<{ measured: Measures[]; ms: number }> {
  if (box.measure === undefined) throw new MissingPartError(`the ${box.tier} sandbox does not measure programs`);
  const began = performance.now();
  const measured = await box.measure(texts);
  return { measured, ms: (performance.now() - began) / texts.length };
}

const ms = (value: number | undefined): string => `${(value ?? Number.NaN).toFixed(1)} ms`;
