/** What all verbs share: --runs-dir, --json, examples in the help, errors as text with an exit status. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Servers } from '../activities/storage/servers.ts';
import { InputError } from '../domain/errors.ts';
import { endProcess } from '../activities/apart/end-process.ts';
import { commandName } from './command-name.ts';
import { type ExitStatus, explain, exitStatus } from './exit-status.ts';
import { adviceHere } from './faults/advice-here.ts';
import { environmentPaths, type NamedPath } from './faults/path-faults.ts';
import { refuseOnServers } from './remote-store.ts';
import { type RunsFolder, runsFolder } from '../workers/runs-folder.ts';
import { lostOutput } from './output/lost-output.ts';
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
      const doIt = (runsDir: string) => act({ ...options, runsDir }, terminal, command.args);
      await endWith(await statusOf(command, doIt, terminal));
    });
  };

/**
 * Ends the process after its output is written: what a pipe has not taken yet would be lost. A command that could not
 * write its output has not done what it was asked for.
 */
export async function endWith(status: ExitStatus): Promise<never> {
  await createTerminal(false).flush();
  const lost = lostOutput();
  if (lost === null) return endProcess(status);
  process.stderr.write(`${lost}\n`);
  return endProcess(status === exitStatus.done ? exitStatus.badInput : status);
}

async function statusOf(
  command: Command,
  act: (runsDir: string) => ExitStatus | Promise<ExitStatus>,
  terminal: Terminal,
): Promise<ExitStatus> {
  let named: readonly NamedPath[] = [];
  try {
    const options = pathOptions(command);
    const { runsDir, servers } = storeFor(command);
    if (servers !== null) await openServers(command.name(), servers, runsDir);
    named = namedPaths(command, options, runsDir);
    if (options.some(({ path }) => path !== null)) {
      const { checkOutputs } = await import('./faults/output-faults.ts');
      const { checkPlaces } = await import('./faults/output-places.ts');
      await checkOutputs(
        command.name(),
        options,
        command.name() === 'report' ? join(runsDir, first(command.args)) : null,
      );
      await checkPlaces(command.name(), options);
    }
    return await act(runsDir);
  } catch (error) {
    // The reader of --out /dev/stdout closed the pipe.
    if ((error as NodeJS.ErrnoException | null)?.code === 'EPIPE') return exitStatus.done;
    const { text: said, status } = explain(error, named);
    const text = adviceHere(said, namedRunsDir(command));
    terminal.note(text);
    terminal.document({ error: text });
    return status;
  }
}

const namedRunsDir = (command: Command): string | null =>
  (command.getOptionValue('runsDir') as string | undefined) ?? null;

/** Those that ask about servers themselves take them as they are. */
function storeFor(command: Command): RunsFolder {
  const verb = command.name();
  if (verb === 'store' && command.getOptionValue('runsDir') !== undefined)
    throw new InputError(`${verb} works with the database that EVENKEEL_STORE names, and no folder: leave it out`, {
      field: '--runs-dir',
    });
  if (['store', 'doctor', 'move'].includes(verb) || readsNoRuns.has(verb))
    return runsFolder({ ...process.env, EVENKEEL_STORE: '', EVENKEEL_BLOBS: '' }, command.getOptionValue('runsDir'));
  const found = runsFolder(process.env, command.getOptionValue('runsDir'));
  if (found.servers !== null) refuseOnServers(verb);
  return found;
}

const readsNoRuns: ReadonlySet<string> = new Set(['init', 'benchmarks', 'fetch', 'simulate']);

/** They carry runs out, which wait for a store that comes back. Whoever calls another verb wants to know soon. */
const carriesOut: ReadonlySet<string> = new Set(['run', 'resume', 'worker', 'schedule']);

async function openServers(verb: string, servers: Servers, runsDir: string): Promise<void> {
  const { openServers: open } = await import('../activities/storage/postgres/open-servers.ts');
  await open(servers, runsDir, carriesOut.has(verb) ? 'command' : 'reader');
}

/** All arguments are included: one that is not a path matches no file. */
const namedPaths = (command: Command, options: readonly NamedPath[], runsDir: string): NamedPath[] => [
  ...options.filter(({ field }) => field !== '--runs-dir'),
  ...command.args.map((argument) => ({ field: null, path: resolve(argument) })),
  ...environmentPaths(process.env),
  { field: '--runs-dir', path: runsDir },
];

/** Throws InputError for an empty one, such as from an unset variable: it would mean the current folder. */
function pathOptions(command: Command): NamedPath[] {
  const values = command.opts<Readonly<Record<string, string | undefined>>>();
  return command.options
    .filter(({ flags }) => /<(?:format:)?(?:file|dir)>/.test(flags))
    .map((option) => {
      const named = values[option.attributeName()];
      const [field, value] = [option.long ?? null, option.flags.includes('<format:') ? afterColon(named) : named];
      if (value === '' && field !== null) throw new InputError('is empty: name a path', { field });
      return { field, path: value === undefined ? null : resolve(value) };
    });
}

const afterColon = (text: string | undefined): string | undefined => text?.slice(text.indexOf(':') + 1);

export const noOptions = (command: Command): Command => command;
export const withProbe = (command: Command): Command =>
  command.option('--no-probe', 'skip the check that the endpoints answer and accept their keys');
export const withDetach = (command: Command): Command =>
  command.option('--detach', 'with a store on servers: end at once, and leave the run to its workers');
/** For commands that work on runs: what they tell of it elsewhere than on the terminal. */
export const withObserving = (command: Command): Command =>
  command
    .option('--log <file>', 'append a log of JSON lines to this file; EVENKEEL_LOG sets its level (default: info)')
    .option(
      '--metrics <address>',
      'serve metrics for Prometheus at [HOST:]PORT, on this machine only unless a host is named; 0 picks a free port ' +
        '(default: EVENKEEL_METRICS, else none)',
    );
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
