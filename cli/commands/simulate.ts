/** `simulate`: our OpenAI-compatible server of simulated models, over a benchmark's tasks. */
import { join, resolve } from 'node:path';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { failingMutations } from '../../activities/failing-mutations.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { createReferenceCache } from '../../activities/reference-cache.ts';
import { simulatedTask } from '../../activities/simulated-tasks.ts';
import { InputError } from '../../domain/errors.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import type { Task } from '../../schemas/task.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { simulatedProfiles } from '../../simulator/profile.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { starterBenchmark } from '../starter.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';

export interface SimulateOptions {
  readonly port: string;
  readonly benchmark?: string;
  readonly format: string;
  readonly log?: string;
}

/** Every preset is a model of the server, by its name. */
export async function simulate(options: SimulateOptions, terminal: Terminal): Promise<ExitStatus> {
  const port = Number(options.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InputError(`is a port from 0 to 65535, got "${options.port}"`, { field: '--port' });
  if (!(options.format in benchmarkFormats))
    throw new InputError(`is one of ${Object.keys(benchmarkFormats).join(', ')}, got "${options.format}"`, { field: '--format' });
  const path = options.benchmark === undefined ? starterBenchmark : resolve(options.benchmark);
  const format = options.benchmark === undefined ? 'evenkeel' : (options.format as BenchmarkFormatName);
  const { tasks } = await loadBenchmark({ name: 'simulated', format, path, seed: 0 });
  const simulated = await knownMutations(tasks, terminal);
  const models = Object.entries(simulatedProfiles).map(([name, profile]) => ({ name, profile }));
  const running = await startSimulatorServer({
    models,
    tasks: simulated,
    port,
    ...(options.log === undefined ? {} : { logFile: resolve(options.log) }),
  });
  const stopped = stopSignal();
  terminal.out(
    `simulated models ${models.map(({ name }) => name).join(', ')} at ${running.url} (baseUrl of a provider with kind: simulator)`,
  );
  terminal.document({ url: `${running.url}`, port: running.port, models: models.map(({ name }) => name), tasks: tasks.length });
  await stopped;
  await running.close();
  return exitStatus.done;
}

/** Runs the mutations first: a simulated model's wrong answers are programs that were seen to fail. */
async function knownMutations(tasks: readonly Task[], terminal: Terminal): Promise<SimulatedTask[]> {
  const box = await openSandbox('auto');
  try {
    terminal.note(`running the references and mutations of ${tasks.length} tasks …`);
    const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
    return await Promise.all(tasks.map(async (task) => simulatedTask(task, await failingMutations({ box, cache }, task))));
  } finally {
    await box.close();
  }
}
