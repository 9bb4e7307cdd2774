/** Verbs that start, steer and watch runs. */
import { asIs, first, withAll, withProbe, type DefineVerb } from '../verb.ts';

export function runningVerbs(verb: DefineVerb): void {
  verb(
    'init [dir]',
    'write commented example specs, one per study, that `run` accepts as they are',
    ['init my-study'],
    asIs,
    async (_options, terminal, args) => (await import('../commands/init.ts')).init(args[0] ?? '.', terminal),
  );
  verb<{ run?: string; all?: boolean }>(
    'plan <spec>',
    'offline: cells, calls, tokens, cost, time and disk of a spec, before any money is spent',
    ['plan evaloop.yaml', 'plan evaloop.yaml --all', 'plan evaloop.yaml --json'],
    (command) =>
      command
        .option('--run <id>', "run id (default: the spec's name)")
        .option('--all', 'every study and model of a large plan, and what its figures assume'),
    async (options, terminal, args) => (await import('../commands/plan.ts')).plan(first(args), options, terminal),
  );
  verb<{ run?: string; all?: boolean; probe?: boolean }>(
    'run <spec>',
    'start a run; the same spec again attaches to it or resumes it, an additive change extends it',
    ['run evaloop.yaml', 'run evaloop.yaml --run nightly-2026-11-20'],
    (command) => withAll(withProbe(command)).option('--run <id>', "run id (default: the spec's name)"),
    async (options, terminal, args) => (await import('../commands/run.ts')).run(first(args), options, terminal),
  );
  verb<{ all?: boolean; model?: string; probe?: boolean; acceptLosses?: boolean }>(
    'resume <id>',
    'go on with a run; needs nothing but its folder',
    ['resume nightly', 'resume nightly --model gpt-4o'],
    (command) =>
      withAll(withProbe(command))
        .option('--accept-losses', 'go on where paid replies are gone from the ledger, and pay for them again')
        .option('--model <id>', 'of the models that stopped, try this one again and leave the others stopped'),
    async (options, terminal, args) => (await import('../commands/resume.ts')).resume(first(args), options, terminal),
  );
  verb('pause <id>', 'stop sending calls; those in flight finish', ['pause nightly'], asIs, async (options, terminal, args) =>
    (await import('../commands/control.ts')).stopRun('pause', first(args), options, terminal),
  );
  verb(
    'cancel <id>',
    'give a run up; what it has is kept, and it can be resumed',
    ['cancel nightly'],
    asIs,
    async (options, terminal, args) => (await import('../commands/control.ts')).stopRun('cancel', first(args), options, terminal),
  );
  verb<{ usd: string }>(
    'budget <id>',
    "set a run's budget",
    ['budget nightly --usd 40'],
    (command) => command.requiredOption('--usd <n>', 'dollars that the run may spend in all'),
    async (options, terminal, args) => (await import('../commands/control.ts')).setBudget(first(args), options, terminal),
  );
  verb<{ watch?: boolean }>(
    'status [id]',
    'how far runs are: cells, spend, failures by reason',
    ['status', 'status nightly --watch'],
    (command) => command.option('--watch', 'look again every second until the run ends'),
    async (options, terminal, args) => (await import('../commands/status.ts')).status(args[0], options, terminal),
  );
}
