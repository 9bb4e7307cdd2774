/** Runs the command line as users do, in a separate process, and keeps its output for messages. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface Command {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Output so far: both streams together, stdout and stderr. */
  output(): string;
  stdout(): string;
  stderr(): string;
  /** Exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  isRunning(): boolean;
}

export const startCommand = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Command =>
  startProgram([main, ...args], { env });

export interface ProgramOptions extends Pick<SpawnOptions, 'env' | 'cwd'> {
  /** The command that runs the program, as on a host of the test bed. */
  readonly under?: readonly string[];
}

/** A program of Node's. */
export function startProgram(args: readonly string[], { under = [], ...options }: ProgramOptions): Command {
  const [file, ...rest] = [...under, process.execPath, '--disable-warning=ExperimentalWarning', ...args] as [string];
  const child = spawn(file, rest, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const written: { to: 'stdout' | 'stderr'; text: string }[] = [];
  for (const to of ['stdout', 'stderr'] as const)
    child[to].setEncoding('utf8').on('data', (text: string) => written.push({ to, text }));
  const textOf = (to: readonly string[]): string =>
    written.flatMap((chunk) => (to.includes(chunk.to) ? [chunk.text] : [])).join('');
  // `exit`, not `close`: workers that outlive a killed command keep its pipes open.
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal)),
  );
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const seen = {
    output: () => textOf(['stdout', 'stderr']),
    stdout: () => textOf(['stdout']),
    stderr: () => textOf(['stderr']),
  };
  return { process: child, pid: child.pid ?? 0, ...seen, ended, isRunning };
}

export interface CommandEnd {
  readonly status: number | NodeJS.Signals | null;
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
}

export const runCommand = (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandEnd> =>
  endOf(startCommand(args, env));

export async function endOf(command: Command): Promise<CommandEnd> {
  const closed = once(command.process, 'close');
  const status = await command.ended;
  // The last output may still be in the pipe.
  await Promise.race([closed, sleep(1_000)]);
  return { status, output: command.output(), stdout: command.stdout(), stderr: command.stderr() };
}
