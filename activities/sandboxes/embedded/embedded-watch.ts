/** Lets the parent enforce time limits that the child cannot, such as for a loop inside one C function. */
import { readFileSync } from 'node:fs';
import { patienceFactor, wallFactor } from '../../../sandbox/embedded/deadline.ts';

export interface StepWatch {
  /** A step (the load, or a case) begins now. */
  begin(limitMs: number): void;
  stop(): void;
}

/** The child enforces its own limits; the parent waits this much longer. */
const graceMs = 100;
const lookEveryMs = 100;

/**
 * Calls `expire` when a step exceeds its limit without the child ending it. Uses CPU time where it can be read;
 * elsewhere only the wall-time cap applies, so that a slow machine never fails a program. Checks only a few times a
 * second: most steps end before the first check.
 * @param isPatient whether time spent waiting for a core is not counted
 * @param folder the process's folder in /proc
 */
export function watchSteps(
  folder: string,
  expire: (end: 'cpu_timeout' | 'wall_timeout') => void,
  isPatient: boolean,
): StepWatch {
  let began = 0;
  let limit = Number.POSITIVE_INFINITY;
  let cpuAtFirstLook: number | null = null;
  let waitedBefore = 0;
  const timer = setInterval(look, lookEveryMs);
  return { begin, stop: () => clearInterval(timer) };

  function begin(limitMs: number): void {
    began = performance.now();
    limit = limitMs;
    cpuAtFirstLook = null;
    waitedBefore = isPatient ? waitedMs(folder) : 0;
  }

  function look(): void {
    const elapsed = performance.now() - began;
    const cpu = childCpuMs(folder);
    cpuAtFirstLook ??= cpu;
    const used = cpu === null || cpuAtFirstLook === null ? 0 : cpu - cpuAtFirstLook;
    const waited = isPatient ? waitedMs(folder) - waitedBefore : 0;
    const isOver = elapsed - waited >= wallFactor * limit + graceMs || elapsed >= patienceFactor * limit + graceMs;
    if (isOver) expire('wall_timeout');
    else if (elapsed >= limit + graceMs && used >= limit) expire('cpu_timeout');
  }
}

/**
 * How long the process's first thread, which runs the program, was ready to run but waited for a core;
 * 0 if the host does not tell.
 */
function waitedMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Linux counts CPU time for /proc in ticks of 10 ms. */
const msPerTick = 10;

/** CPU time of a process so far, user and system, milliseconds; null if the host does not tell. */
function childCpuMs(folder: string): number | null {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}
