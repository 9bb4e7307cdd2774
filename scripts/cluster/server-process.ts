/** A server process of the test bed: it writes a log, is waited for, and is ended by its pid. */
import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ServerProcess {
  readonly pid: number;
  /** Sends the signal and waits until the process is gone; after 15 s it is killed. */
  end(signal: NodeJS.Signals): Promise<void>;
}

const startWithinMs = 60_000;
const endWithinMs = 15_000;

/** Resolves once `answers` does with true; throws with the end of the log if the process ends before. */
export async function startProcess(
  command: string,
  args: readonly string[],
  { log, answers, ...options }: SpawnOptions & { readonly log: string; readonly answers: () => Promise<boolean> },
): Promise<ServerProcess> {
  const output = openSync(log, 'w');
  // Its own process group, so that Ctrl-C reaches only the script, which ends the server properly.
  const child = spawn(command, args, { ...options, stdio: ['ignore', output, output], detached: true });
  closeSync(output);
  const deadlineMs = performance.now() + startWithinMs;
  while (!(await answers())) {
    if (child.exitCode === null && child.pid !== undefined && performance.now() < deadlineMs) await sleep(50);
    else {
      await end(child, 'SIGKILL');
      const said = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
      throw new Error(`${command} did not start:\n${said}`);
    }
  }
  return { pid: child.pid ?? 0, end: (signal) => end(child, signal) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const patience = setTimeout(() => child.kill('SIGKILL'), endWithinMs);
  await gone;
  clearTimeout(patience);
}
