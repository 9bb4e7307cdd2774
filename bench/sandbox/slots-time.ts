/**
 * Processor time of what this process has started, as it goes on: of each process below this one, and of the children
 * that it has waited for. A slot that ends loses at most what it used since the last look.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface SlotsTime {
  /** Seconds since the start. */
  seconds(): number;
  stop(): void;
}

const everyMs = 1000;
const ticksASecond = 100;

interface Process {
  readonly parent: number;
  readonly seconds: number;
}

export function watchSlotsTime(): SlotsTime {
  const found = new Map<number, number>();
  const look = (): void => {
    const all = processes();
    for (const [pid, { seconds }] of all) if (isBelow(all, pid)) found.set(pid, seconds);
  };
  look();
  const start = total(found);
  const timer = setInterval(look, everyMs);
  return {
    seconds: () => {
      look();
      return total(found) - start;
    },
    stop: () => clearInterval(timer),
  };
}

const total = (found: ReadonlyMap<number, number>): number => found.values().reduce((sum, one) => sum + one, 0);

/** A program's own process is not looked at: its slot waits for it, and has its time then. */
function isBelow(all: ReadonlyMap<number, Process>, pid: number): boolean {
  const deepest = 2;
  let at = all.get(pid)?.parent;
  for (let depth = 0; depth < deepest && at !== undefined; depth++) {
    if (at === process.pid) return true;
    at = all.get(at)?.parent;
  }
  return false;
}

function processes(): Map<number, Process> {
  const all = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (fields === undefined) continue;
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    all.set(Number(name), { parent: Number(fields[1]), seconds: ticks / ticksASecond });
  }
  return all;
}

function statOf(pid: string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
  } catch {
    return undefined;
  }
}
