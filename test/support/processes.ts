/** Processes of this machine from /proc (Linux only): their descent, and whether they are gone. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessSeen {
  readonly pid: number;
  readonly parent: number;
  /** Start in clock ticks since boot, which distinguishes processes with the same reused pid. */
  readonly startTicks: string;
  readonly command: string;
}

export const hasProcessTable = process.platform === 'linux';

/** Null if it is gone, or only a zombie. */
export function lookAt(pid: number): ProcessSeen | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(fields[1]), startTicks: fields[19] ?? '', command };
  } catch {
    return null;
  }
}

const allProcesses = (): ProcessSeen[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (lookAt(Number(name)) ?? []) : []));

/** Processes with `text` in their command line or in their initial environment. */
export const processesWith = (text: string): ProcessSeen[] =>
  allProcesses().filter(
    ({ pid, command }) => command.includes(text) || environmentOf(pid).some((entry) => entry.includes(text)),
  );

/** All descendants of `pid`, without itself. */
export function descendantsOf(pid: number): ProcessSeen[] {
  const all = allProcesses();
  const below = (parent: number): ProcessSeen[] =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  return below(pid);
}

export const isThere = ({ pid, startTicks }: ProcessSeen): boolean => lookAt(pid)?.startTicks === startTicks;

/** The value of a variable in the initial environment of a process. */
export const variableOf = (pid: number, name: string): string | undefined =>
  environmentOf(pid)
    .find((entry) => entry.startsWith(`${name}=`))
    ?.slice(name.length + 1);

function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** The processes that still exist after `limitMs`. */
export async function leftAfter(processes: readonly ProcessSeen[], limitMs: number): Promise<ProcessSeen[]> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const left = processes.filter(isThere);
    if (left.length === 0 || performance.now() > deadline) return left;
    await sleep(20);
  }
}
