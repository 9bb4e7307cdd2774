/** Samples per second of the whole program: in process, over HTTP next to a bare client, and ten times as many. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadText, median } from './machine.ts';
import { type Child, startChild } from './pipeline/child.ts';
import { type ProcessUsage, since, usageOf } from './pipeline/process-usage.ts';
import { printSweep, rate } from './pipeline/print-sweep.ts';
import type { SweepFigures } from './pipeline/sweep.ts';
import { withEngine } from './pipeline/with-engine.ts';
import { concurrency, loops, type Workload, workloadOf, writeTasks } from './pipeline/workload.ts';

export interface PipelineOptions {
  readonly samples: string;
  readonly rounds: string;
  readonly inProcess: boolean;
  readonly large: boolean;
  readonly http: boolean;
  readonly latency: string;
  readonly profile?: string;
}

type Print = (line: string) => void;

const wantedPerS = 2_000;
const wantedRatio = 0.6;
const wantedGrowth = 0.2;
const largeFactor = 10;

export async function pipeline(options: PipelineOptions, print: Print): Promise<void> {
  const rounds = Number(options.rounds);
  const workload = workloadOf(Number(options.samples));
  const profiles = options.profile ?? null;
  if (profiles !== null) mkdirSync(profiles, { recursive: true });
  if (options.inProcess) await inProcess(workload, rounds, options.large, profiles, print);
  if (options.http) await overHttp(workload, rounds, options.latency, profiles, print);
}

const describe = ({ models, tasks, samples }: Workload): string =>
  `${samples} samples: ${tasks} tasks x ${models} simulated models x ${loops} loops ` +
  `(${loops} programs and ${loops - 1} summaries each); ` +
  'programs are not run, all count as passed';

async function inProcess(
  workload: Workload,
  rounds: number,
  isLarge: boolean,
  profiles: string | null,
  print: Print,
): Promise<void> {
  print(`\nin process, ${describe(workload)}`);
  print(
    'from the start of the sweep to the finished manifest, in the same processes; the first sweep is a warm-up and ' +
      'does not count:',
  );
  const sweeps: SweepFigures[] = [];
  await withEngine(profiles, async (engine, folder) => {
    writeTasks(folder, workload.tasks);
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await engine.sweep(workload, folder, null);
      printSweep(print, roundName(round), figures);
      if (round > 0) sweeps.push(figures);
    }
  });
  const perS = median(sweeps.map(rate));
  verdict(print, `median ${perS.toFixed(0)} samples/s`, perS >= wantedPerS, `at least ${wantedPerS}`);
  if (isLarge) await large(workload, perS, profiles, print);
}

async function large(small: Workload, smallPerS: number, profiles: string | null, print: Print): Promise<void> {
  const workload = workloadOf(small.samples * largeFactor);
  print(`\nin process, ${describe(workload)}`);
  await withEngine(profiles, async (engine, folder) => {
    for (const { tasks } of [small, workload]) writeTasks(join(folder, String(tasks)), tasks);
    const warmUp = await engine.sweep(small, join(folder, String(small.tasks)), null);
    printSweep(print, roundName(0), warmUp);
    const figures = await engine.sweep(workload, join(folder, String(workload.tasks)), null);
    printSweep(print, 'large', figures);
    const growth = smallPerS / rate(figures) - 1;
    const change = `${Math.abs(100 * growth).toFixed(0)} % ${growth < 0 ? 'less' : 'more'}`;
    verdict(
      print,
      `a sample takes ${change} time than in the smaller sweeps`,
      growth <= wantedGrowth,
      `at most ${100 * wantedGrowth} % more`,
    );
  });
}

/** evenkeel and the bare loop take turns, so that both run under the same conditions. */
async function overHttp(
  workload: Workload,
  rounds: number,
  latencyMs: string,
  profiles: string | null,
  print: Print,
): Promise<void> {
  print(`\nover HTTP, ${describe(workload)}`);
  print(
    `${concurrency} calls in flight, a simulator in its own process that answers after ${latencyMs} ms on average; ` +
      'the first round is a warm-up and does not count:',
  );
  await withEngine(profiles, async (engine, folder) => {
    writeTasks(folder, workload.tasks);
    const simulator = await startChild('simulator', [folder, latencyMs]);
    const bare = await startChild('client-loop', [folder, simulator.greeting as string]);
    const ratios: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const barePerS = workload.samples / ((await bare.ask('run')) as number);
      print(`${roundName(round)}: bare openai client ${barePerS.toFixed(0)} calls/s, ${loadText()}`);
      const figures = await besides(simulator, () => engine.sweep(workload, folder, simulator.greeting as string));
      printSweep(print, roundName(round), figures);
      print(`  ${percent(rate(figures) / barePerS)} of the bare client`);
      if (round > 0) ratios.push(rate(figures) / barePerS);
    }
    bare.close();
    simulator.close();
    verdict(
      print,
      `median ${percent(median(ratios))} of the bare client`,
      median(ratios) >= wantedRatio,
      `at least ${percent(wantedRatio)}`,
    );
  });
}

/** The sweep's figures with the simulator's share of CPU time and memory. */
async function besides({ pid }: Child, sweep: () => Promise<SweepFigures>): Promise<SweepFigures> {
  const look = (): ProcessUsage => usageOf('simulator', pid);
  const before = look();
  const figures = await sweep();
  return { ...figures, processes: [...figures.processes, since(before, look())] };
}

const roundName = (round: number): string => (round === 0 ? 'warm-up' : `round ${round}`);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const verdict = (print: Print, what: string, isMet: boolean, wanted: string): void =>
  print(`=> ${what}: ${isMet ? 'met' : 'MISSED'} (wanted: ${wanted})`);
