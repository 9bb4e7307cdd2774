/**
 * EVALOOP of many simulated models over many tasks, programs not run: what a sample takes as a sweep grows, process by
 * process and file by file, and what follows for ten million; and of some models with programs run. Next to it Inspect
 * AI and promptfoo, each with its own mock model.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerPath } from '../activities/storage/run-paths.ts';
import { commandUsage } from './growth/command-usage.ts';
import { withEngine } from './pipeline/with-engine.ts';
import { printSweep } from './pipeline/print-sweep.ts';
import type { SweepFigures } from './pipeline/sweep.ts';
import { loops, workloadOf, writeTasks } from './pipeline/workload.ts';
import { filesBelow } from './sweep/files-below.ts';
import { foreseen } from './sweep/foreseen.ts';
import { peers } from './sweep/peers.ts';
import { sweepWithPrograms } from './sweep/with-programs.ts';

export interface SweepBenchOptions {
  /** Numbers, separated by commas. */
  readonly samples: string;
  readonly models: string;
  /** Models of the sweep whose programs are run; 0 for none. */
  readonly programs: string;
  /** MBPP+ as EvalPlus publishes it, for these. */
  readonly mbpp: string;
  readonly tier: string;
  readonly peers: boolean;
  readonly peerSamples: string;
  readonly rounds: string;
}

type Print = (line: string) => void;

const wantedBytes = 600e6;
const target = 10e6;

export async function sweepBench(options: SweepBenchOptions, print: Print): Promise<void> {
  const sizes: Size[] = [];
  for (const samples of options.samples
    .split(',')
    .map(Number)
    .filter((size) => size > 0))
    sizes.push(await measured(samples, Number(options.models), print));
  if (sizes.length >= 2) printForeseen(sizes, print);
  const models = Number(options.programs);
  if (models > 0) await sweepWithPrograms({ ...options, models }, print);
  if (options.peers) await peers(Number(options.peerSamples), Number(options.rounds), print);
}

interface Size extends SweepFigures {
  readonly bytes: Readonly<Record<'ledger' | 'parts' | 'Temporal database', number>>;
  readonly seconds: number;
}

async function measured(least: number, models: number, print: Print): Promise<Size> {
  const workload = workloadOf(least, models);
  print(`\n${workload.samples} samples: ${workload.tasks} tasks x ${models} models x ${loops} loops, programs not run`);
  return withEngine(null, async (engine, folder) => {
    writeTasks(folder, workload.tasks);
    const figures = await engine.sweep(workload, folder, null);
    printSweep(print, 'sweep', figures, wantedBytes);
    const bytes = bytesOf(join(folder, 'runs'), figures.runId);
    for (const [what, size] of Object.entries(bytes))
      print(`  ${what}: ${(size / 1e6).toFixed(1)} MB, ${(size / figures.samples).toFixed(0)} bytes a sample`);
    await askFromOutside(join(folder, 'runs'), figures.runId, print);
    return { ...figures, bytes };
  });
}

function bytesOf(runsDir: string, runId: string): Size['bytes'] {
  const folder = join(runsDir, runId);
  const sum = (files: readonly string[]): number => files.reduce((total, file) => total + statSync(file).size, 0);
  return {
    ledger: statSync(ledgerPath(folder)).size,
    parts: sum(filesBelow(folder).filter((file) => file.endsWith('.parquet'))),
    'Temporal database': sum(filesBelow(join(runsDir, '.temporal')).filter((file) => /\.db(-wal)?$/.test(file))),
  };
}

const questions = [
  ['status'],
  ['query', 'select model, outcome, count(*) as n from verdicts group by all order by all'],
  ['query', 'select model, count(*), avg(length(reply)) from samples group by all order by 1'],
] as const;

async function askFromOutside(runsDir: string, runId: string, print: Print): Promise<void> {
  for (const [command, ...words] of questions) {
    const { seconds, peakBytes } = await commandUsage([command, runId, ...words, '--runs-dir', runsDir]);
    print(`  ${[command, ...words].join(' ')}: ${seconds.toFixed(1)} s, ${(peakBytes / 1e6).toFixed(0)} MB`);
  }
}

function printForeseen(sizes: readonly Size[], print: Print): void {
  print(`\nstraight lines through ${sizes.length} sizes, and what follows for ${target / 1e6} million samples:`);
  const line = (what: string, unit: 's' | 'MB', value: (size: Size) => number): void => {
    const { slope, at, error } = foreseen(
      sizes.map((size) => [size.samples, value(size)]),
      target,
    );
    const range = error === null ? 'no error from two sizes' : `+- ${error.toPrecision(2)} (95 %)`;
    print(`  ${what}: ${(slope * 1e6).toPrecision(3)} ${unit} a million, ${at.toPrecision(3)} ${unit} ${range}`);
  };
  line('time', 's', ({ seconds }) => seconds);
  for (const { name } of sizes[0]?.processes ?? [])
    line(
      `processor time of the ${name}`,
      's',
      ({ processes }) => processes.find((one) => one.name === name)?.cpuS ?? Number.NaN,
    );
  for (const what of ['ledger', 'parts', 'Temporal database'] as const)
    line(what, 'MB', ({ bytes }) => bytes[what] / 1e6);
}
