/** The parent's clock over a child: for what the child cannot end by itself, such as a loop inside one C function. */
import { readFileSync } from 'node:fs';
import { patienceFactor, wallFactor } from '../../sandbox/embedded/deadline.ts';

export interface StepWatch {
  /** A step (the load, or a case) begins now. */
  begin(limitMs: number): void;
  stop(): void;
}

/** The child watches its own clock; the parent waits this much longer. */
const graceMs = 100;
const lookEveryMs = 100;

/**
 * Calls `expire` when a step has used up its limit without the child ending it. CPU time counts where it can be read; elsewhere only the
 * wall cap does, so that a slow machine never fails a program. Looks a few times a second: most steps end before the first look.
 * @param isPatient the time is not counted that the child waited for a core
 * @param folder what Linux shows of the child's process
 */
export function watchSteps(folder: string, expire: (end: 'cpu_timeout' | 'wall_timeout') => void, isPatient: boolean): StepWatch {
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

/** How long the process's first thread, which runs the program, has been ready to run while others had its core; 0 where the host does not show it. */
function waitedMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Linux counts CPU time for /proc in ticks of 10 ms. */
const msPerTick = 10;

/** CPU time of a process so far, user and system, milliseconds; null where the host does not show it. */
function childCpuMs(folder: string): number | null {
  try {
    const stat = readFileSync(`${folder}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * msPerTick;
  } catch {
    return null;
  }
}
