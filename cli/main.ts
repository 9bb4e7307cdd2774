/** Builds and starts the command tree. The process ends only after all output has been read. */
import { Command, CommanderError, Help, type Option } from 'commander';
import { programVersion } from '../activities/runs/version.ts';
import { onLostOutput } from './output/lost-output.ts';
import { exitStatus } from './exit-status.ts';
import { createTerminal } from './output/terminal.ts';
import { endWith, verbsOf } from './verb.ts';
import { ciVerbs } from './verbs/ci.ts';
import { machineVerbs } from './verbs/machine.ts';
import { partsVerbs } from './verbs/parts.ts';
import { repliesVerbs } from './verbs/replies.ts';
import { planningVerbs } from './verbs/planning.ts';
import { resultsVerbs } from './verbs/results.ts';
import { withSqlApart } from './sql-argument.ts';
import { runningVerbs } from './verbs/running.ts';

/** Verbs that keep running when their output is closed: what they produce is in files, not on stdout. */
const runsUnread: ReadonlySet<string> = new Set([
  'run',
  'resume',
  'rescore',
  'demo',
  'server',
  'worker',
  'simulate',
  'record',
  'watch',
  'schedule',
  'fetch',
]);

/** Commander's description, marked for options that must be given. */
const optionDescription = (option: Option): string =>
  (option.mandatory ? '(required) ' : '') + new Help().optionDescription(option);

let keepsRunning = false;
onLostOutput(() => keepsRunning);

const program = new Command('evenkeel')
  .description('Durable robustness studies of code LLMs.')
  .version(programVersion)
  .showHelpAfterError('(see --help)')
  .configureHelp({ sortSubcommands: false, optionDescription })
  .exitOverride();

const verb = verbsOf(program, (name) => {
  keepsRunning = runsUnread.has(name);
});
for (const define of [runningVerbs, resultsVerbs, planningVerbs, ciVerbs, repliesVerbs, machineVerbs, partsVerbs])
  define(verb);

try {
  await program.parseAsync(withSqlApart(process.argv));
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  if (error.exitCode !== 0 && process.argv.includes('--json'))
    createTerminal(true).document({ error: error.message.replace(/^error: /, '') });
  await endWith(error.exitCode === 0 ? exitStatus.done : exitStatus.badInput);
}
