/** Verbs that start, steer and watch runs. */
import { observeAs, type ObserveOptions } from '../observe-as.ts';
import type { DetectOptions } from '../detect-options.ts';
import {
  noOptions,
  first,
  withAll,
  withDetach,
  withDetect,
  withObserving,
  withProbe,
  type DefineVerb,
} from '../verb.ts';

export function runningVerbs(verb: DefineVerb): void {
  startingVerbs(verb);
  steeringVerbs(verb);
}

function startingVerbs(verb: DefineVerb): void {
  verb(
    'init [dir]',
    'write commented example specs, one per study, ready to run',
    ['init my-study'],
    noOptions,
    async (_options, terminal, args) => (await import('../commands/init.ts')).init(args[0] ?? '.', terminal),
  );
  verb<Omit<DetectOptions, 'detect'> & { run?: string; all?: boolean; detect?: string; like?: string }>(
    'plan <spec>',
    'estimate cells, calls, tokens, cost, time and disk of a spec, offline and before any money is spent; --detect: ' +
      'also whether it can see a difference',
    [
      'plan evaloop.yaml',
      'plan evaloop.yaml --all',
      'plan evaloop.yaml --detect 3 --like last-week',
      'plan evaloop.yaml --json',
    ],
    (command) =>
      withDetect(
        command
          .option('--run <id>', "run id (default: the spec's name)")
          .option('--all', 'show every study and model of a large plan, and what the estimate assumes')
          .option('--detect <points>', 'the difference in pass rate to see, in percentage points; see docs/power.md')
          .option('--like <run>', 'with --detect: take the variances from this run (default: the run of the spec)'),
      ),
    async (options, terminal, args) => (await import('../commands/plan.ts')).plan(first(args), options, terminal),
  );
  verb<{ run?: string; all?: boolean; probe?: boolean; detach?: boolean } & ObserveOptions>(
    'run <spec>',
    'start a run; the same spec again attaches to it or resumes it, a larger spec extends it',
    ['run evaloop.yaml', 'run evaloop.yaml --run nightly-2026-11-20', 'run evaloop.yaml --metrics 9464'],
    (command) =>
      withObserving(withAll(withDetach(withProbe(command)))).option('--run <id>', "run id (default: the spec's name)"),
    async (options, terminal, args) => {
      observeAs(options);
      return (await import('../commands/run.ts')).run(first(args), options, terminal);
    },
  );
  verb<{ all?: boolean; model?: string; probe?: boolean; acceptLosses?: boolean; detach?: boolean } & ObserveOptions>(
    'resume <id>',
    'continue a run; needs only its folder',
    ['resume nightly', 'resume nightly --model gpt-4o'],
    (command) =>
      withObserving(withAll(withDetach(withProbe(command))))
        .option('--accept-losses', 'continue although paid replies are gone from the ledger, and pay for them again')
        .option('--model <id>', 'of the stopped models, retry only this one'),
    async (options, terminal, args) => {
      observeAs(options);
      return (await import('../commands/resume.ts')).resume(first(args), options, terminal);
    },
  );
}

function steeringVerbs(verb: DefineVerb): void {
  verb(
    'pause <id>',
    'stop sending calls; those in flight finish',
    ['pause nightly'],
    noOptions,
    async (options, terminal, args) =>
      (await import('../commands/control.ts')).stopRun('pause', first(args), options, terminal),
  );
  verb(
    'cancel <id>',
    'cancel a run; results are kept, and it can be resumed',
    ['cancel nightly'],
    noOptions,
    async (options, terminal, args) =>
      (await import('../commands/control.ts')).stopRun('cancel', first(args), options, terminal),
  );
  verb<{ usd?: string; tokens?: string }>(
    'budget <id>',
    "change a run's budget",
    ['budget nightly --usd 40', 'budget nightly --tokens 2000000'],
    (command) =>
      command
        .option('--usd <n>', 'the most US dollars that the run may spend in total; none removes the limit')
        .option('--tokens <n>', 'the most tokens that the run may use, input plus output; none removes the limit'),
    async (options, terminal, args) =>
      (await import('../commands/control.ts')).setBudget(first(args), options, terminal),
  );
  verb<{ watch?: boolean }>(
    'status [id]',
    'show the progress of all runs, or one run with its spend and failures by reason',
    ['status', 'status nightly --watch'],
    (command) => command.option('--watch', 'update every second until the run ends'),
    async (options, terminal, args) => (await import('../commands/status.ts')).status(args[0], options, terminal),
  );
  verb<{ port: string }>(
    'watch [ids...]',
    'serve the report of runs to a browser on this machine while they go; without a run, list all. Changes no file',
    ['watch nightly', 'watch nightly last-week --port 8700', 'watch'],
    (command) => command.option('--port <n>', 'port on 127.0.0.1; 0 picks a free one', '0'),
    async (options, terminal, args) => (await import('../commands/watch.ts')).watch(args, options, terminal),
  );
}
