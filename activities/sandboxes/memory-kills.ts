/**
 * Processes that the kernel has ended for lack of memory, of the machine or of a control group such as a container that
 * evenkeel itself runs in. A program that it ended has not failed.
 */
import { readFileSync } from 'node:fs';
import { SandboxFault } from './sandbox.ts';

export interface MemoryKills {
  /** Remembers this moment, for `since`. */
  mark(): number;
  /** Whether the kernel has ended a process since then, or up to a second before. */
  since(mark: number): boolean;
}

/** A mark is taken for each program, and reading the count takes 50 microseconds. */
const markLastsMs = 1000;

/** @param count how many processes have been ended so far */
export function createMemoryKills(count: () => number, nowMs: () => number = () => performance.now()): MemoryKills {
  let marked = 0;
  let markedAtMs = Number.NEGATIVE_INFINITY;
  const look = (): number => {
    marked = count();
    markedAtMs = nowMs();
    return marked;
  };
  return {
    mark: () => (nowMs() - markedAtMs > markLastsMs ? look() : marked),
    since: (earlier) => look() > earlier,
  };
}

/** Since the machine was started, in all control groups; 0 where the kernel does not say. */
export function memoryKillsOfMachine(): number {
  try {
    return Number(/^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export const tooLittleMemory = (): SandboxFault =>
  new SandboxFault(
    'the kernel ended the program again and again for lack of memory: this machine, or the container or control ' +
      'group in which evenkeel runs, has too little left. Give it more memory',
  );
