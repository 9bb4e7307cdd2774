/** Two programs of which one does twice the work of the other, and processes that keep the machine's cores busy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { TimingJob } from '../../../activities/sandboxes/sandbox.ts';
import type { ProgramTiming } from '../../../schemas/program.ts';
import { limits } from '../programs.ts';

const counting = (rounds: number): string =>
  `def count(n):\n    s = 0\n    for i in range(n * ${rounds}):\n        s = (s + i) & 1023\n    return s\n`;

const job = (source: string): TimingJob => ({
  program: { source, entryPoint: 'count', inputs: ['[1000]', '[2000]', '[3000]'] },
  limits,
});

/** 0.06 and 0.12 million steps of one cost: a few milliseconds of CPU time. */
export const pair: readonly [TimingJob, TimingJob] = [job(counting(10)), job(counting(20))];

export const cpuNs = ({ repeats }: ProgramTiming): number[] => repeats.map((repeat) => repeat.cpuNs);

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Runs `work` with so many endless loops per core next to it. */
export async function underLoad<T>(perCore: number, work: () => Promise<T>): Promise<T> {
  const busy = Array.from(
    { length: perCore * availableParallelism() },
    (): ChildProcess => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    return await work();
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
}
