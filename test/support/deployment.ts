/** A runs directory whose Temporal server stays up, so that each command on it starts in a second or two. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, type CommandEnd, endOf, startCommand } from './command.ts';

export interface Deployment {
  /** Folder for specs, recordings and, in `runs`, the runs. */
  readonly folder: string;
  readonly runsDir: string;
  /** Writes a file into the folder and returns its path. */
  write(name: string, text: string): string;
  start(...args: readonly string[]): Command;
  evenkeel(...args: readonly string[]): Promise<CommandEnd>;
  /** The rows that `evenkeel query RUN SQL --json` prints, as records. */
  rows(run: string, sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** For `openDeployment`: what earlier runs executed is executed again. */
export const executedAgain: NodeJS.ProcessEnv = { EVENKEEL_EXECUTION_CACHE: 'off' };

/**
 * What one of its commands has executed, the next takes from the cache of executions, as a user's does: most of a small
 * run's processor time is the start of interpreters. Pass `executedAgain` where a test is about executions.
 */
export async function openDeployment(env: NodeJS.ProcessEnv = {}): Promise<Deployment> {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  const runsDir = join(folder, 'runs');
  const shared = { EVENKEEL_EXECUTION_CACHE: join(folder, 'executions.sqlite') };
  const full = { ...process.env, ...shared, ...env, EVENKEEL_RUNS: runsDir };
  const commands: Command[] = [];
  const start = (...args: readonly string[]): Command => {
    const command = startCommand(args, full);
    commands.push(command);
    return command;
  };
  const evenkeel = (...args: readonly string[]): Promise<CommandEnd> => endOf(start(...args));
  const server = start('server');
  await until(() => server.stdout().includes('Temporal serves'), server);
  return {
    folder,
    runsDir,
    write: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    start,
    evenkeel,
    rows: async (run, sql) => recordsOf(await evenkeel('query', run, sql, '--json')),
    close: async () => {
      // Newest first: the server goes last. A test that failed may have left the others.
      for (const command of commands.filter((one) => one.isRunning()).toReversed()) {
        command.process.kill('SIGTERM');
        await command.ended;
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Polls until `reached`; throws, with the command's output, if the command ends before that, or after a minute. */
export async function until(reached: () => boolean, command: Command): Promise<void> {
  for (const deadline = performance.now() + 60_000; !reached(); await sleep(20)) {
    if (!command.isRunning() || performance.now() > deadline)
      throw new Error(`it never came to this:\n${command.output()}`);
  }
}

function recordsOf({ status, stdout, stderr }: CommandEnd): Record<string, unknown>[] {
  if (status !== 0) throw new Error(`query ended with ${status}: ${stderr}`);
  const { columns, rows } = JSON.parse(stdout) as { columns: { name: string }[]; rows: unknown[][] };
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
}
