/** Resources that a process has used so far, from Linux's /proc. */
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  readonly name: string;
  /** Peak resident memory, bytes. */
  readonly peakBytes: number;
  /** User and system time, seconds. */
  readonly cpuS: number;
}

/** Clock ticks of /proc a second; 100 on every Linux that Node runs on. */
const ticksPerS = 100;

export function usageOf(name: string, pid: number): ProcessUsage {
  const peakKb = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  // utime and stime are fields 14 and 15; fields are counted after the command's name, which may contain spaces.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { name, peakBytes: Number(peakKb) * 1024, cpuS: (Number(fields[11]) + Number(fields[12])) / ticksPerS };
}

/** The usage of the same process since `before`. */
export const since = (before: ProcessUsage, now: ProcessUsage): ProcessUsage => ({
  ...now,
  cpuS: now.cpuS - before.cpuS,
});
