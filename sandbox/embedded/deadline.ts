/**
 * The time limit of one step (a module's load, or one case), checked from inside: CPython polls for signals while it
 * runs, the poll is an import of ours, and throwing from it ends the program at once; the memory is rolled back
 * afterwards, so nothing need unwind.
 */
import { ProgramEnded } from './ending.ts';

/** A step may take this many times its limit in wall time, for as long as it has used less CPU time than the limit. */
export const wallFactor = 5;
/**
 * Nor does the time count, when it is run again, that it was ready to run and others had its core, up to this many
 * times the limit in all.
 */
export const patienceFactor = 100;

export interface Deadline {
  /** @param factor in place of `wallFactor`, where the parent watches the wall time */
  start(limitMs: number, factor?: number): void;
  stop(): void;
  /** Throws `ProgramEnded` when the limit is reached. Cheap: called every few bytecodes. */
  readonly check: () => void;
}

export function createDeadline(now: () => number, cpuMs: () => number): Deadline {
  let limit = 0;
  let wallMs = 0;
  let wallStart = 0;
  let cpuStart = 0;
  let due = Number.POSITIVE_INFINITY;
  return { start, stop, check };

  function start(limitMs: number, factor = wallFactor): void {
    limit = limitMs;
    wallMs = factor * limitMs;
    wallStart = now();
    cpuStart = cpuMs();
    due = wallStart + limitMs;
  }

  function stop(): void {
    due = Number.POSITIVE_INFINITY;
  }

  function check(): void {
    const at = now();
    if (at < due) return;
    const used = cpuMs() - cpuStart;
    if (used >= limit) throw new ProgramEnded('cpu_timeout', `more than ${limit} ms of CPU time`);
    const wallEnd = wallStart + wallMs;
    if (at >= wallEnd) throw new ProgramEnded('wall_timeout', `more than ${wallMs} ms`);
    due = Math.min(wallEnd, at + limit - used);
  }
}

/** CPU milliseconds of this thread, or of the whole process on a Node.js that cannot tell them apart (before 23.9). */
export function readCpuMs(): number {
  const usage = (process.threadCpuUsage ?? process.cpuUsage).call(process);
  return (usage.user + usage.system) / 1000;
}
