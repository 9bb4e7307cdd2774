/** Somebody's machine, as far as files go: a home without any cache, and a working directory. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type Command, type CommandEnd, endOf, startProgram } from '../command.ts';
import { descendantsOf } from '../processes.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const installed = fileURLToPath(new URL('../../../cli/main.ts', import.meta.url));

export interface Machine {
  readonly folder: string;
  start(...args: readonly string[]): Command;
  evenkeel(...args: readonly string[]): Promise<CommandEnd>;
}

/**
 * @param servers environment variables that name them
 * @param program default: this program
 */
export function newMachine(servers: NodeJS.ProcessEnv, program = installed): Machine {
  const folder = temporaryFolder();
  const cwd = join(folder, 'work');
  mkdirSync(cwd);
  const env = { ...process.env, ...servers, HOME: folder, EVENKEEL_CACHE: '', XDG_CACHE_HOME: '', EVENKEEL_RUNS: '' };
  const start = (...args: readonly string[]): Command => startProgram([program, ...args], { env, cwd });
  return { folder, start, evenkeel: (...args) => endOf(start(...args)) };
}

/** The end of a command that must succeed. */
export async function done(ending: Promise<CommandEnd>): Promise<CommandEnd> {
  const end = await ending;
  expect(end.status, end.output).toBe(0);
  return end;
}

/** With all processes that it has started. */
export function killAll(command: Command): void {
  for (const pid of [command.pid, ...descendantsOf(command.pid).map((one) => one.pid)]) process.kill(pid, 'SIGKILL');
}
