/** What a command takes, as a user starts it, or another program. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ProcessUsage, usageOf } from '../pipeline/process-usage.ts';

const command = join(import.meta.dirname, '..', '..', 'bin', 'evenkeel.mjs');
const lookMs = 100;

type Usage = ProcessUsage & { readonly seconds: number };

export const commandUsage = (args: readonly string[]): Promise<Usage> => programUsage([command, ...args]);

/**
 * The processor time is that of the last look, at most `lookMs` before its end.
 * @param words a program of Node's, with its arguments
 */
export async function programUsage([program = '', ...args]: readonly string[]): Promise<Usage> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let usage: ProcessUsage = { name: args[0] ?? '', peakBytes: 0, cpuS: 0 };
  while (child.exitCode === null && child.pid !== undefined) {
    try {
      const now = usageOf(usage.name, child.pid);
      if (Number.isFinite(now.peakBytes)) usage = now;
    } catch {
      break; // It has ended since.
    }
    await Promise.race([ended, wait(lookMs)]);
  }
  const status = await ended;
  if (status !== 0) throw new Error(`${args[0]} ended with status ${status}`);
  return { ...usage, seconds: (performance.now() - start) / 1000 };
}
