/** Whether a process runs, waits or is stopped. */
import { readFileSync } from 'node:fs';

/** As `ps` shows it; null on systems without /proc, and of a process that has ended. */
export function stateOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? null;
  } catch {
    return null;
  }
}

/** By a signal or a debugger. */
export const isStopped = (state: string | null): boolean => state?.toUpperCase() === 'T';
