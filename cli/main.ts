/** The command tree; the only place that starts it. It ends only when everything said is read. */
import { Command, CommanderError } from 'commander';
import { programVersion } from '../activities/version.ts';
import { onClosedOutput } from './closed-output.ts';
import { exitStatus } from './exit-status.ts';
import { endWith, verbsOf } from './verb.ts';
import { ciVerbs } from './verbs/ci.ts';
import { machineVerbs } from './verbs/machine.ts';
import { partsVerbs } from './verbs/parts.ts';
import { repliesVerbs } from './verbs/replies.ts';
import { resultsVerbs } from './verbs/results.ts';
import { runningVerbs } from './verbs/running.ts';

/** They do more than to say something: they go on when nobody reads them. Their work is in the run folder. */
const worksUnread: ReadonlySet<string> = new Set(['run', 'resume', 'rescore', 'demo', 'server', 'worker', 'simulate', 'schedule', 'fetch']);

let goesOnUnread = false;
onClosedOutput(() => goesOnUnread || process.exit(exitStatus.done));

const program = new Command('evenkeel')
  .description('Durable robustness studies of code LLMs.')
  .version(programVersion)
  .showHelpAfterError('(see --help)')
  .configureHelp({ sortSubcommands: false })
  .exitOverride();

const verb = verbsOf(program, (name) => {
  goesOnUnread = worksUnread.has(name);
});
for (const define of [runningVerbs, resultsVerbs, ciVerbs, repliesVerbs, machineVerbs, partsVerbs]) define(verb);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  await endWith(error.exitCode === 0 ? exitStatus.done : exitStatus.badInput);
}
