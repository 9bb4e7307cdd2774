/** The command tree; the only place that exits, and only when everything said is read. Commands are loaded when they are used, so that help is quick. */
import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { programVersion } from '../activities/version.ts';
import { onClosedOutput } from './closed-output.ts';
import { type ExitStatus, explain, exitStatus } from './exit-status.ts';
import { commandName } from './command-name.ts';
import { environmentPaths, type NamedPath } from './path-faults.ts';
import { runsDirOf } from './runs-dir.ts';
import { createTerminal, type Terminal } from './terminal.ts';

interface Shared {
  readonly runsDir: string;
}
type Act<O> = (options: O & Shared, terminal: Terminal, args: readonly string[]) => ExitStatus | Promise<ExitStatus>;

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

/** Every verb takes --runs-dir and --json, says examples, and turns errors into text and a status. */
function verb<O extends object>(
  usage: string,
  summary: string,
  examples: readonly string[],
  define: (command: Command) => Command,
  act: Act<O>,
): void {
  const command = program
    .command(usage)
    .description(summary)
    .option('--runs-dir <dir>', 'where runs lie (default: EVENKEEL_RUNS, else data/runs)')
    .option('--json', 'one JSON document on stdout, everything else on stderr')
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${commandName()} ${example}`).join('\n')}`);
  define(command).action(async (...given: unknown[]) => {
    const options = given.at(-2) as O & { runsDir?: string; json?: boolean };
    goesOnUnread = worksUnread.has(command.name());
    const terminal = createTerminal(options.json ?? false);
    const runsDir = runsDirOf(options.runsDir);
    await endWith(await settle(() => act({ ...options, runsDir }, terminal, command.args), namedPaths(command, runsDir), terminal));
  });
}

/** What a pipe has not taken yet would be lost with the process. */
async function endWith(status: ExitStatus): Promise<never> {
  await createTerminal(false).flush();
  return process.exit(status);
}

/** Arguments may be names too: those are no paths on the disk. */
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

const asIs = (command: Command): Command => command;
const withProbe = (command: Command): Command =>
  command.option('--no-probe', 'do not look first whether the endpoints answer and take their keys');
const withAll = (command: Command): Command => command.option('--all', 'end with every line of every table, not with one screen');
const first = (args: readonly string[]): string => args[0] as string;

verb(
  'init [dir]',
  'write commented example specs, one per study, that `run` accepts as they are',
  ['init my-study'],
  asIs,
  async (_options, terminal, args) => (await import('./commands/init.ts')).init(args[0] ?? '.', terminal),
);
verb<{ run?: string; all?: boolean }>(
  'plan <spec>',
  'offline: cells, calls, tokens, cost, time and disk of a spec, before any money is spent',
  ['plan evaloop.yaml', 'plan evaloop.yaml --all', 'plan evaloop.yaml --json'],
  (command) =>
    command
      .option('--run <id>', "run id (default: the spec's name)")
      .option('--all', 'every study and model of a large plan, and what its figures assume'),
  async (options, terminal, args) => (await import('./commands/plan.ts')).plan(first(args), options, terminal),
);
verb<{ run?: string; all?: boolean; probe?: boolean }>(
  'run <spec>',
  'start a run; the same spec again attaches to it or resumes it, an additive change extends it',
  ['run evaloop.yaml', 'run evaloop.yaml --run nightly-2026-11-20'],
  (command) => withAll(withProbe(command)).option('--run <id>', "run id (default: the spec's name)"),
  async (options, terminal, args) => (await import('./commands/run.ts')).run(first(args), options, terminal),
);
verb<{ all?: boolean; model?: string; probe?: boolean; acceptLosses?: boolean }>(
  'resume <id>',
  'go on with a run; needs nothing but its folder',
  ['resume nightly', 'resume nightly --model gpt-4o'],
  (command) =>
    withAll(withProbe(command))
      .option('--accept-losses', 'go on where paid replies are gone from the ledger, and pay for them again')
      .option('--model <id>', 'of the models that stopped, try this one again and leave the others stopped'),
  async (options, terminal, args) => (await import('./commands/resume.ts')).resume(first(args), options, terminal),
);
verb('pause <id>', 'stop sending calls; those in flight finish', ['pause nightly'], asIs, async (options, terminal, args) =>
  (await import('./commands/control.ts')).stopRun('pause', first(args), options, terminal),
);
verb(
  'cancel <id>',
  'give a run up; what it has is kept, and it can be resumed',
  ['cancel nightly'],
  asIs,
  async (options, terminal, args) => (await import('./commands/control.ts')).stopRun('cancel', first(args), options, terminal),
);
verb<{ usd: string }>(
  'budget <id>',
  "set a run's budget",
  ['budget nightly --usd 40'],
  (command) => command.requiredOption('--usd <n>', 'dollars that the run may spend in all'),
  async (options, terminal, args) => (await import('./commands/control.ts')).setBudget(first(args), options, terminal),
);
verb<{ watch?: boolean }>(
  'status [id]',
  'how far runs are: cells, spend, failures by reason',
  ['status', 'status nightly --watch'],
  (command) => command.option('--watch', 'look again every second until the run ends'),
  async (options, terminal, args) => (await import('./commands/status.ts')).status(args[0], options, terminal),
);
verb<{ shellSql?: boolean; tables?: string }>(
  'query <id> [sql]',
  "DuckDB over a run's finished pages, also while it runs; without SQL lists the tables",
  [
    'query nightly',
    'query nightly --tables loops',
    'query nightly "select model, asl, asl_lo, asl_hi from asl order by asl desc"',
    'query nightly --shell-sql',
  ],
  (command) =>
    command
      .option('--tables <name>', 'the columns of one table, with their units and meaning')
      .option('--shell-sql', 'print statements that make the same views in any DuckDB'),
  async (options, terminal, args) => (await import('./commands/query.ts')).query(first(args), args[1], options, terminal),
);
verb<{ out?: string; format: string; ranking?: string }>(
  'report <ids...>',
  'one self-contained HTML file over one run or several',
  ['report nightly', 'report nightly last-week --out both.html', 'report nightly --format md', 'report nightly --ranking swe-bench.json'],
  (command) =>
    command
      .option('--out <file>', "file to write (default: report.<format> in the first run's folder)")
      .option('--format <format>', 'html, md or json', 'html')
      .option('--ranking <file>', 'another ranking of the models, to set beside theirs (docs/studies/evaloop.md)'),
  async (options, terminal, args) => (await import('./commands/report.ts')).report(args, options, terminal),
);
verb<{ format: string; out?: string; compare?: string; model?: string }>(
  'import <file>',
  'what others recorded as a replay file: trajectories of EVALOOP (also beside a run that replayed them), published samples of a model',
  [
    'import o3-mini.json --out replies/o3-mini.jsonl',
    'import assets/data/details --out replies',
    'import o3-mini.json --compare recorded --model o3-mini',
    'import samples.jsonl --format samples --out replies/codellama.jsonl',
  ],
  (command) =>
    command
      .option('--format <format>', 'evaloop, or samples: lines of task_id with completion or solution', 'evaloop')
      .option('--out <file>', 'the replay file to write; for a folder of trajectories, the folder for their replay files')
      .option('--compare <run>', 'list the tasks whose verdicts in this run differ from the recorded ones')
      .option('--model <id>', 'the model of that run which replays the recording'),
  async (options, terminal, args) => (await import('./commands/import.ts')).importFile(args[0] ?? '', options, terminal),
);
verb<{ policy: string; against?: string; old?: string; new?: string; study?: string; markdown?: string; junit?: string }>(
  'gate <id>',
  'a verdict for CI on a new model or version: exit status 0 passed, 4 failed, 5 inconclusive',
  [
    'gate update --policy policy.yaml',
    'gate nightly-2026-11-21 --against nightly-2026-11-20 --policy policy.yaml --markdown gate.md --junit gate.xml',
    'gate loops --old gpt-4o-old --new gpt-4o --policy policy.yaml --json',
  ],
  (command) =>
    command
      .requiredOption(
        '--policy <file>',
        'how much may be lost, e.g. rules: [{ metric: pass_at_1, margin: 5 }, { metric: asl, marginPercent: 10 }, { metric: cpu_ratio, margin: 10 }]; docs/ci.md has all metrics',
      )
      .option('--against <run>', 'run of the old side (default: the same run)')
      .option('--old <model>', 'the old version (default: the pairs of regression studies, or the models that both runs have)')
      .option('--new <model>', 'the new version')
      .option('--study <name>', 'this study only')
      .option('--markdown <file>', 'also write the verdict as Markdown')
      .option('--junit <file>', 'also write the verdict as JUnit XML'),
  async (options, terminal, args) => (await import('./commands/gate.ts')).gate(first(args), options, terminal),
);
verb<{ spec?: string; policy?: string; against?: string; cron?: string; specs?: string }>(
  'schedule <action> [name]',
  'a dated run and its gate at set times, by the Temporal server that TEMPORAL_ADDRESS names: create, list, trigger, delete, serve',
  [
    'schedule create nightly --spec watch/nightly.yaml --policy watch/policy.yaml --against baseline --cron "17 3 * * *"',
    'schedule serve --specs watch',
    'schedule list',
    'schedule trigger nightly',
    'schedule delete nightly',
  ],
  (command) =>
    command
      .option('--spec <file>', 'create: what is run each time')
      .option('--policy <file>', 'create: how much may be lost, see docs/ci.md')
      .option('--against <run>', 'create: the run that each one is held against')
      .option('--cron <times>', 'create: minute, hour, day of the month, month, day of the week, in UTC')
      .option('--specs <folder>', 'serve: the folder that specs and policies are taken from (default: the one it is started in)'),
  async (options, terminal, args) => (await import('./commands/schedule.ts')).schedule(args, options, terminal),
);
verb<{ format: string; out: string; model?: string }>(
  'export <id>',
  'write a run in a form that others, or a later run, can use',
  ['export nightly --format replay --out nightly.jsonl', 'export nightly --format replay --out judge.jsonl --model judge'],
  (command) =>
    command
      .option('--format <format>', 'replay: its answers, for models with provider: replay', 'replay')
      .requiredOption('--out <file>', 'file to write')
      .option('--model <id>', 'only what this model answered'),
  async (options, terminal, args) => (await import('./commands/export.ts')).exportRun(first(args), options, terminal),
);
verb(
  'agree <id> <file>',
  "a person's labels of a sample of prompts (export --format label-sample) against the run's",
  ['agree nightly labelled.jsonl'],
  asIs,
  async (options, terminal, args) => (await import('./commands/agree.ts')).agree(first(args), args[1] as string, options, terminal),
);
verb<{ model: string; out: string; study?: string; sample: string; seed: string; asks: string }>(
  'taxonomy <id>',
  "a model proposes themes for a run's summaries, as a file for the setting taxonomy",
  ['taxonomy nightly --model o3 --out mine.json', 'taxonomy nightly --model o3 --sample 120 --seed 1 --out mine.json'],
  (command) =>
    command
      .requiredOption('--model <id>', 'the model of the run that is asked')
      .requiredOption('--out <file>', 'file to write')
      .option('--study <name>', 'whose summaries (default: the only study of kind specificity)')
      .option('--sample <n>', 'summaries that are shown, drawn by seed', '60')
      .option('--seed <n>', 'seed of the draw', '0')
      .option('--asks <n>', 'most questions until an answer is a taxonomy', '3'),
  async (options, terminal, args) => (await import('./commands/taxonomy.ts')).taxonomy(first(args), options, terminal),
);
verb<{ extraction: string; run?: string }>(
  'rescore <id>',
  "judge a run's stored replies under another rule of extraction, without a call, and say which verdicts moved",
  ['rescore nightly --extraction last-defining', 'rescore nightly --extraction strict --run nightly-by-strict'],
  (command) =>
    command
      .requiredOption('--extraction <rule>', 'paper, last-defining or strict; see docs/extraction.md')
      .option('--run <id>', 'the run that is made of them (default: <id>-<rule>)'),
  async (options, terminal, args) => (await import('./commands/rescore.ts')).rescore(first(args), options, terminal),
);
verb<{ repair?: boolean }>(
  'verify <id>',
  'check every byte and key of a run against its manifest',
  ['verify nightly', 'verify nightly --repair'],
  (command) => command.option('--repair', 'make damaged and missing parts again from the ledger, and say what cannot be'),
  async (options, terminal, args) => (await import('./commands/verify.ts')).verify(first(args), options, terminal),
);
verb<{ check?: boolean; spec?: string; folder?: string }>(
  'benchmarks [names...]',
  'public benchmarks: what is known, where it lies, and how many references pass their own tests',
  ['benchmarks', 'benchmarks --check', 'benchmarks humaneval-et --check', 'benchmarks --check --spec evaloop.yaml'],
  (command) =>
    command
      .option('--check', 'run the references of what lies here on their own tests')
      .option('--spec <file>', 'check the benchmarks of this spec, joined suites included')
      .option('--folder <dir>', 'where fetched files are kept (default: EVENKEEL_BENCHMARKS, else the cache)'),
  async (options, terminal, args) => (await import('./commands/benchmarks.ts')).benchmarks(args, options, terminal),
);
verb<{ folder?: string }>(
  'fetch <names...>',
  'download benchmarks from their public sources, checked by SHA-256; a broken download goes on where it stopped',
  ['fetch humaneval', 'fetch mbpp-sanitized mbpp-et --folder files'],
  (command) => command.option('--folder <dir>', 'where to keep them (default: EVENKEEL_BENCHMARKS, else the cache)'),
  async (options, terminal, args) => (await import('./commands/fetch.ts')).fetchBenchmarks(args, options, terminal),
);
verb(
  'doctor [spec]',
  'what this machine has, what is missing, what to do; with a spec also whether its endpoints answer and take their keys',
  ['doctor', 'doctor evaloop.yaml'],
  asIs,
  async (options, terminal, args) => (await import('./commands/doctor.ts')).doctor(args[0], options, terminal),
);
verb<{ open?: string }>(
  'accounts',
  'accounts that their endpoints keep closed, until when and why; --open opens one now',
  ['accounts', 'accounts --open https://api.openai.com/v1'],
  (command) => command.option('--open <baseUrl>', 'open the accounts of this endpoint, and forget the limits that its refusals taught'),
  async (options, terminal) => (await import('./commands/accounts.ts')).accounts(options, terminal),
);
verb(
  'server',
  "serve the runs directory's Temporal server until Ctrl-C",
  ['server', 'server --runs-dir /data/runs'],
  asIs,
  async (options, terminal) => (await import('./commands/parts.ts')).server(options, terminal),
);
verb<{ roles: string }>(
  'worker',
  'serve some roles of a runs directory, here or beside a cluster named by TEMPORAL_ADDRESS',
  ['worker --roles llm,sandbox', 'worker --roles workflow,llm,sandbox,io'],
  (command) =>
    command.option(
      '--roles <roles>',
      'any of workflow, llm, sandbox, io, seal, separated by commas; llm with sandbox runs the programs that it asks for, sandbox alone those of workers without; seal writes finished pages, and io includes it',
      'workflow,llm,sandbox,io',
    ),
  async (options, terminal) => (await import('./commands/parts.ts')).worker(options, terminal),
);
verb<{ port: string; benchmark?: string; format: string; log?: string }>(
  'simulate [spec]',
  'an OpenAI-compatible server of simulated models on this machine: strong, drifting, weak, faulty and judge, or those of a spec',
  ['simulate --port 8080', 'simulate --port 8080 --benchmark MbppPlus.jsonl.gz --format mbpp-plus', 'simulate evaloop.yaml --port 8080'],
  (command) =>
    command
      .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', '0')
      .option('--benchmark <file>', 'tasks that the models know (default: the starter benchmark)')
      .option('--format <format>', 'format of that file', 'evenkeel')
      .option('--log <file>', 'append every request to this file, on disk before it is answered'),
  async (options, terminal, args) => (await import('./commands/simulate.ts')).simulate(args[0], options, terminal),
);
verb<{ all?: boolean }>(
  'demo',
  'a small sweep of every study over simulated models and the starter benchmark',
  ['demo'],
  withAll,
  async (options, terminal) => (await import('./commands/demo.ts')).demo(options, terminal),
);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  await endWith(error.exitCode === 0 ? exitStatus.done : exitStatus.badInput);
}
