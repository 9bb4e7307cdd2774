/** `simulate`: an OpenAI-compatible server of simulated models, over the tasks of a benchmark or of a spec. */
import { join, resolve } from 'node:path';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { failingMutations } from '../../activities/failing-mutations.ts';
import { loadBenchmarks, tasksOf } from '../../activities/plan-inputs.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { createReferenceCache } from '../../activities/reference-cache.ts';
import { simulatedProfileOf } from '../../activities/simulated-profile.ts';
import { simulatedTask } from '../../activities/simulated-tasks.ts';
import { InputError } from '../../domain/errors.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { type SimulatedProfile, simulatedProfiles } from '../../simulator/profile.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { starterBenchmark } from '../starter.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { readSpecFile } from '../spec-file.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../terminal.ts';

export interface SimulateOptions {
  readonly port: string;
  readonly benchmark?: string;
  readonly format: string;
  readonly log?: string;
}

interface Served {
  readonly models: readonly { readonly name: string; readonly profile: SimulatedProfile }[];
  load(): Promise<readonly Task[]>;
}

/** Serves at once; questions wait until the tasks are known. */
export async function simulate(specPath: string | undefined, options: SimulateOptions, terminal: Terminal): Promise<ExitStatus> {
  const port = checkedPort(options.port);
  const { models, load } = specPath === undefined ? presets(options) : await ofSpec(specPath, options);
  const known = Promise.withResolvers<readonly SimulatedTask[]>();
  known.promise.catch(() => undefined);
  const logFile = options.log === undefined ? {} : { logFile: resolve(options.log) };
  const running = await startSimulatorServer({ models, tasks: known.promise, port, ...logFile });
  const stopped = stopSignal();
  const names = models.map(({ name }) => name);
  try {
    const tasks = await load();
    terminal.out(`simulated models ${names.join(', ')} at ${running.url} (baseUrl of a provider with kind: simulator)`);
    terminal.document({ url: running.url, port: running.port, models: names, tasks: tasks.length });
    const knowing = knownTasks(tasks, terminal).then(known.resolve);
    await Promise.race([stopped, knowing.then(() => stopped)]);
  } finally {
    await running.close();
  }
  return exitStatus.done;
}

function checkedPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InputError(`is a port from 0 to 65535, got "${text}"`, { field: '--port' });
}

/** Every preset is a model of the server, by its name. */
function presets({ benchmark, format }: SimulateOptions): Served {
  if (!(format in benchmarkFormats))
    throw new InputError(`is one of ${Object.keys(benchmarkFormats).join(', ')}, got "${format}"`, { field: '--format' });
  const path = benchmark === undefined ? starterBenchmark : resolve(benchmark);
  const request = { name: 'simulated', format: benchmark === undefined ? 'evenkeel' : (format as BenchmarkFormatName), path, seed: 0 };
  const models = Object.entries(simulatedProfiles).map(([name, profile]) => ({ name, profile }));
  return { models, load: async () => (await loadBenchmark(request)).tasks };
}

/** The spec's simulated models, those of accounts with kind: simulator too, under the names that are asked for; they know its benchmarks. */
async function ofSpec(path: string, { benchmark }: SimulateOptions): Promise<Served> {
  if (benchmark !== undefined) throw new InputError('the spec names the benchmarks; leave this out', { field: '--benchmark' });
  const file = await readSpecFile(path);
  const models = servedModels(file.spec);
  if (models.length === 0)
    throw new InputError('has no simulated model: provider: simulated, or an account with kind: simulator', {
      file: path,
      field: 'models',
    });
  return { models, load: async () => [...tasksOf(await loadBenchmarks(file)).values()].flat() };
}

function servedModels({ models, providers }: Spec): Served['models'] {
  const simulated = models.filter(({ provider }) => provider === 'simulated' || providers[provider]?.kind === 'simulator');
  const named = simulated.map((model) => {
    const name = model.model ?? model.id;
    return [name, model.profile === undefined && isPreset(name) ? simulatedProfiles[name] : simulatedProfileOf(model)] as const;
  });
  return [...new Map(named)].map(([name, profile]) => ({ name, profile }));
}

const isPreset = (name: string): name is keyof typeof simulatedProfiles => name in simulatedProfiles;

/** Runs the mutations: a simulated model's wrong answers are programs that were seen to fail. */
async function knownTasks(tasks: readonly Task[], terminal: Terminal): Promise<SimulatedTask[]> {
  const box = await openSandbox('auto');
  let done = 0;
  const know = async (task: Task, bench: Parameters<typeof failingMutations>[0]): Promise<SimulatedTask> => {
    const failing = await failingMutations(bench, task);
    done += 1;
    terminal.progress(`running references and mutations: ${done} of ${tasks.length} tasks; questions wait for them`);
    return simulatedTask(task, failing);
  };
  try {
    const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
    const known = await Promise.all(tasks.map((task) => know(task, { box, cache })));
    terminal.note(`references and mutations of ${tasks.length} tasks are known; questions are answered`);
    return known;
  } finally {
    await box.close();
  }
}
