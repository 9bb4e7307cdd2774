/** How every verb is defined, carried out and ended: --runs-dir and --json, examples, errors as text and a status. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { commandName } from './command-name.ts';
import { type ExitStatus, explain, exitStatus } from './exit-status.ts';
import { environmentPaths, type NamedPath } from './path-faults.ts';
import { runsDirOf } from './runs-dir.ts';
import { createTerminal, type Terminal } from './terminal.ts';

interface Shared {
  readonly runsDir: string;
}
type Act<O> = (options: O & Shared, terminal: Terminal, args: readonly string[]) => ExitStatus | Promise<ExitStatus>;

/** Adds a verb: usage, summary, examples without the program's name, options, and what it does. Commands are loaded when they are used. */
export type DefineVerb = <O extends object>(
  usage: string,
  summary: string,
  examples: readonly string[],
  define: (command: Command) => Command,
  act: Act<O>,
) => void;

/** @param onStart called with the verb's name before it does anything */
export const verbsOf =
  (program: Command, onStart: (verb: string) => void): DefineVerb =>
  <O extends object>(usage: string, summary: string, examples: readonly string[], define: (command: Command) => Command, act: Act<O>) => {
    const command = program
      .command(usage)
      .description(summary)
      .option('--runs-dir <dir>', 'where runs lie (default: EVENKEEL_RUNS, else data/runs)')
      .option('--json', 'one JSON document on stdout, everything else on stderr')
      .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${commandName()} ${example}`).join('\n')}`);
    define(command).action(async (...given: unknown[]) => {
      const options = given.at(-2) as O & { runsDir?: string; json?: boolean };
      onStart(command.name());
      const terminal = createTerminal(options.json ?? false);
      const runsDir = runsDirOf(options.runsDir);
      await endWith(await settle(() => act({ ...options, runsDir }, terminal, command.args), namedPaths(command, runsDir), terminal));
    });
  };

/** What a pipe has not taken yet would be lost with the process. */
export async function endWith(status: ExitStatus): Promise<never> {
  await createTerminal(false).flush();
  return process.exit(status);
}

/** An argument may also be a name, which is not a path on the disk. */
const namedPaths = (command: Command, runsDir: string): NamedPath[] => {
  const given = command.opts<Readonly<Record<string, string | undefined>>>();
  const options = command.options.filter(({ flags }) => /<(?:file|dir)>/.test(flags));
  return [
    ...options.map((option) => ({ field: option.long ?? null, path: absolute(given[option.attributeName()]) })),
    ...command.args.map((argument) => ({ field: null, path: resolve(argument) })),
    ...environmentPaths(process.env),
    { field: '--runs-dir', path: runsDir },
  ];
};
const absolute = (path: string | undefined): string | null => (path === undefined ? null : resolve(path));

async function settle(act: () => ExitStatus | Promise<ExitStatus>, named: readonly NamedPath[], terminal: Terminal): Promise<ExitStatus> {
  try {
    return await act();
  } catch (error) {
    // Whoever read the file that was asked for (--out /dev/stdout) has had enough.
    if ((error as NodeJS.ErrnoException | null)?.code === 'EPIPE') return exitStatus.done;
    const { text, status } = explain(error, named);
    terminal.note(text);
    terminal.document({ error: text });
    return status;
  }
}

export const asIs = (command: Command): Command => command;
export const withProbe = (command: Command): Command =>
  command.option('--no-probe', 'do not look first whether the endpoints answer and take their keys');
export const withAll = (command: Command): Command => command.option('--all', 'end with every line of every table, not with one screen');
export const first = (args: readonly string[]): string => args[0] as string;
