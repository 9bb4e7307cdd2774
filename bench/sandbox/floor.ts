/**
 * Programs a second and core in the isolated lane, and the floor of this machine: how often a second a Python with
 * the same modules forks a child that writes one byte and ends. Both use every core.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Program } from '../../schemas/program.ts';
import { type Contender, takeTurns, type Wanted } from './turns.ts';

const programs = 1000;
/** Suites of their own for so many programs, so that no two share a process. */
const suites = 200;
const limits = { caseTimeoutMs: 1000, memoryBytes: 2 ** 29, outputBytes: 2 ** 20 };
const floorSeconds = 3;

interface Kind {
  readonly name: string;
  readonly source: string;
  readonly inputs: number;
}

const kinds: readonly Kind[] = [
  { name: 'an empty program', source: 'def f(n):\n    pass\n', inputs: 1 },
  {
    name: 'one that imports math, re and collections',
    source: 'import math, re, collections\ndef f(n):\n    pass\n',
    inputs: 1,
  },
  { name: 'one with 110 inputs', source: 'def f(n):\n    return n + 1\n', inputs: 110 },
];

const floor: Contender = {
  name: 'the floor',
  measure: async () => {
    const rates = await Promise.all(Array.from({ length: availableParallelism() }, forksASecond));
    return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  },
};

async function forksASecond(): Promise<number> {
  const file = fileURLToPath(new URL('floor.py', import.meta.url));
  const child = spawn('/usr/bin/python3', [file, String(floorSeconds)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return Number(await text(child.stdout));
}

export async function besideFloor(box: Sandbox, rounds: number, print: (line: string) => void): Promise<void> {
  const contenders = kinds.map((kind) => contenderOf(box, kind));
  const wanted = contenders.map(({ name }): Wanted => ({ of: name, by: [floor.name], atLeast: 0.5 }));
  const title = `isolated lane, programs a second and core, ${box.concurrency} slots`;
  await takeTurns(title, [...contenders, floor], wanted, rounds, print);
}

function contenderOf(box: Sandbox, { name, source, inputs }: Kind): Contender {
  const cases = Array.from({ length: suites }, (_, suite) =>
    Array.from({ length: inputs }, (__, at) => JSON.stringify([suite * inputs + at])),
  );
  const run = async (index: number, round: number): Promise<void> => {
    const text = `${source}# ${round} ${index}\n`;
    const program: Program = { source: text, entryPoint: 'f', inputs: cases[index % suites] as string[] };
    const { end, lane } = await box.run(program, limits);
    if (end !== 'completed' || lane === 'batch') throw new Error(`${name}: ended as ${end} in the lane ${lane}`);
  };
  /** The programs of one suite follow each other. */
  const ofSuite = async (suite: number, round: number): Promise<void> => {
    for (let index = suite; index < programs; index += suites) await run(index, round);
  };
  const measure = async (round: number): Promise<number> => {
    const began = performance.now();
    await Promise.all(Array.from({ length: suites }, (_, suite) => ofSuite(suite, round)));
    return (programs / (performance.now() - began)) * (1000 / box.concurrency);
  };
  return { name, measure };
}
