/** What all verbs share: --runs-dir, --json, examples in the help, errors as text with an exit status. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { endProcess } from '../workers/end-process.ts';
import { commandName } from './command-name.ts';
import { type ExitStatus, explain, exitStatus } from './exit-status.ts';
import { environmentPaths, type NamedPath } from './path-faults.ts';
import { runsDirOf } from './runs-dir.ts';
import { createTerminal, type Terminal } from './output/terminal.ts';

interface Shared {
  readonly runsDir: string;
}
type Act<O> = (options: O & Shared, terminal: Terminal, args: readonly string[]) => ExitStatus | Promise<ExitStatus>;

/**
 * Adds a verb: usage, summary, examples (without the program's name), options and action. The action imports its
 * command, so that `--help` loads none.
 */
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
  <O extends object>(
    usage: string,
    summary: string,
    examples: readonly string[],
    define: (command: Command) => Command,
    act: Act<O>,
  ) => {
    const command = program
      .command(usage)
      .description(summary)
      .option('--runs-dir <dir>', 'folder of the runs (default: EVENKEEL_RUNS, else data/runs)')
      .option('--json', 'one JSON document on stdout, everything else on stderr')
      .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${commandName()} ${example}`).join('\n')}`);
    define(command).action(async (...actionArgs: unknown[]) => {
      const options = actionArgs.at(-2) as O & { runsDir?: string; json?: boolean };
      onStart(command.name());
      const terminal = createTerminal(options.json ?? false);
      const runsDir = runsDirOf(options.runsDir);
      await endWith(
        await statusOf(
          () => act({ ...options, runsDir }, terminal, command.args),
          namedPaths(command, runsDir),
          terminal,
        ),
      );
    });
  };

/** Ends the process after its output is written: what a pipe has not taken yet would be lost. */
export async function endWith(status: ExitStatus): Promise<never> {
  await createTerminal(false).flush();
  return endProcess(status);
}

/** All arguments are included: one that is not a path matches no file. */
const namedPaths = (command: Command, runsDir: string): NamedPath[] => {
  const values = command.opts<Readonly<Record<string, string | undefined>>>();
  const options = command.options.filter(({ flags }) => /<(?:file|dir)>/.test(flags));
  return [
    ...options.map((option) => ({ field: option.long ?? null, path: absolute(values[option.attributeName()]) })),
    ...command.args.map((argument) => ({ field: null, path: resolve(argument) })),
    ...environmentPaths(process.env),
    { field: '--runs-dir', path: runsDir },
  ];
};
const absolute = (path: string | undefined): string | null => (path === undefined ? null : resolve(path));

async function statusOf(
  act: () => ExitStatus | Promise<ExitStatus>,
  named: readonly NamedPath[],
  terminal: Terminal,
): Promise<ExitStatus> {
  try {
    return await act();
  } catch (error) {
    // The reader of --out /dev/stdout closed the pipe.
    if ((error as NodeJS.ErrnoException | null)?.code === 'EPIPE') return exitStatus.done;
    const { text, status } = explain(error, named);
    terminal.note(text);
    terminal.document({ error: text });
    return status;
  }
}

export const noOptions = (command: Command): Command => command;
export const withProbe = (command: Command): Command =>
  command.option('--no-probe', 'skip the check that the endpoints answer and accept their keys');
export const withAll = (command: Command): Command =>
  command.option('--all', 'show all lines of the final tables, not just one screen');
/** The options that go with --detect. */
export const withDetect = (command: Command): Command =>
  command
    .option('--power <share>', 'wanted probability of seeing the difference', '0.8')
    .option('--confidence <share>', 'confidence of the comparison: 1 - false alarms, two-sided', '0.95')
    .option('--comparisons <n>', 'comparisons that share these false alarms: 3 for all pairs of 3 models', '1')
    .option('--between <variance>', "stated: variance over tasks of a model's pass rate, 0 to 0.25")
    .option('--within <variance>', 'stated: mean variance of the answers to one task, 0 to 0.25')
    .option('--correlation <r>', "stated: correlation over tasks of two models' pass rates");
export const first = (args: readonly string[]): string => args[0] as string;

/** Names with what they are, one a line, for the end of a help text. */
export function formatLines(about: Readonly<Record<string, string>>): string {
  const width = Math.max(...Object.keys(about).map(({ length }) => length));
  return Object.entries(about)
    .map(([name, text]) => `  ${name.padEnd(width)}  ${text}`)
    .join('\n');
}
