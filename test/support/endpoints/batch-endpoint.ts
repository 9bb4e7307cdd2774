/** A simulated server with models that take batches, each with its failures, and what its log says of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadBenchmark } from '../../../activities/benchmarks/load.ts';
import { simulatedTask } from '../../../activities/calls/simulated-tasks.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import type { z } from 'zod';
import type { batchTraits } from '../../../simulator/batches/traits.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';
import type { RequestLogEntry } from '../../../simulator/request-log.ts';
import { startSimulatorServer } from '../../../simulator/server.ts';

export type BatchTraitsInput = z.input<typeof batchTraits>;

export interface BatchingServer {
  readonly url: string;
  /** Answered requests, of a model if one is named. */
  answered(model?: string): RequestLogEntry[];
  close(): Promise<void>;
}

/** @param models traits of each model's batches, by its name */
export async function startBatchingServer(
  folder: string,
  models: Readonly<Record<string, BatchTraitsInput>>,
  port = 0,
): Promise<BatchingServer> {
  const { tasks } = await loadBenchmark({ name: 'simulated', format: 'evenkeel', path: starterBenchmark, seed: 0 });
  const logFile = join(folder, `requests-${Object.keys(models).join('-')}.jsonl`);
  const server = await startSimulatorServer({
    models: Object.entries(models).map(([name, batch]) => ({
      name,
      profile: simulatedProfile({ competence: 0.8, driftPerLoop: 0.1, sensitivity: 0.3, batch }),
    })),
    tasks: tasks.map((task) => simulatedTask(task, [])),
    ...{ port, logFile },
  });
  const entries = (): RequestLogEntry[] =>
    readFileSync(logFile, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RequestLogEntry);
  return {
    url: server.url,
    answered: (model) =>
      entries().filter((line) => line.outcome === 'answered' && (model === undefined || line.model === model)),
    close: server.close,
  };
}
