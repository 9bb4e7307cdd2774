/** Simulated models behind HTTP. Their fsynced request log is the reference for what was asked. */
import { readFileSync } from 'node:fs';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../../activities/calls/simulated-tasks.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';
import type { RequestLogEntry } from '../../../simulator/request-log.ts';
import type { BenchmarkFormatName } from '../../../schemas/spec/benchmark.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';
import { starterBenchmark } from '../../../cli/starter.ts';

export interface SimulatedEndpoint {
  readonly url: string;
  /** Every line since `from`, an index into the log. */
  log(from?: number): RequestLogEntry[];
  close(): Promise<void>;
}

/** Tasks known to its models. */
export interface SimulatedBenchmark {
  readonly format: BenchmarkFormatName;
  readonly path: string;
}

/**
 * Models `steady`, `drifting` and `judge`, without transport faults; the judge sometimes answers without a score.
 */
export async function startSimulatedEndpoint(
  logFile: string,
  latencyMs: number,
  benchmark: SimulatedBenchmark = { format: 'evenkeel', path: starterBenchmark },
  port = 0,
): Promise<SimulatedEndpoint> {
  const { tasks } = await loadBenchmark({ name: 'simulated', ...benchmark, seed: 0 });
  const models = [
    { name: 'steady', profile: simulatedProfile({ competence: 0.95, driftPerLoop: 0.03 }) },
    {
      name: 'drifting',
      profile: simulatedProfile({ competence: 0.9, driftPerLoop: 0.15, sensitivity: 0.05, logprobs: true }),
    },
    { name: 'judge', profile: simulatedProfile({ competence: 0.95, judge: { noise: 0.03, unparseable: 0.2 } }) },
  ];
  const server = await startSimulatorServer({
    models,
    tasks: tasks.map((task) => simulatedTask(task, [])),
    port,
    logFile,
    latencyMs,
  });
  return { url: server.url, log: (from = 0) => entriesOf(logFile).slice(from), close: server.close };
}

/** A line still being written, or cut off by a kill, does not count: its request was not answered. */
export const entriesOf = (file: string): RequestLogEntry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line): RequestLogEntry[] =>
      line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as RequestLogEntry] : [],
    );
