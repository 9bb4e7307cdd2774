/** `simulate`: an OpenAI-compatible server of simulated models for the tasks of a benchmark or of a spec. */
import { join, resolve } from 'node:path';
import { counted } from '../../domain/counted.ts';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { learnTasks } from '../../activities/calls/learned-tasks.ts';
import { loadBenchmarks, tasksOf } from '../../activities/runs/plan-inputs.ts';
import { openSandbox } from '../../activities/sandboxes/index.ts';
import { createReferenceCache } from '../../activities/judging/reference-cache.ts';
import { simulatedProfileOf } from '../../activities/providers/simulated-profile.ts';
import { InputError } from '../../domain/errors.ts';
import { providerFacts } from '../../domain/spec/provider-facts.ts';
import { benchmarkFormats } from '../../domain/benchmarks/index.ts';
import type { BenchmarkFormatName } from '../../schemas/spec/benchmark.ts';
import type { Spec } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import type { SimulatedTask } from '../../simulator/model.ts';
import { profileText, type SimulatedProfile, simulatedProfiles } from '../../simulator/profile.ts';
import { startSimulatorServer } from '../../simulator/server.ts';
import { cacheFolder } from '../../workers/temporal/cache-folder.ts';
import { starterBenchmark } from '../starter.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { checkedPort } from '../port.ts';
import { readSpecFile } from '../spec-file.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../output/terminal.ts';

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

/** Listens at once. A request waits for the tasks to be read, and a wrong answer for the mutations of its task. */
export async function simulate(
  specPath: string | undefined,
  options: SimulateOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  const port = checkedPort(options.port, '--port');
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
    for (const { name, profile } of models) terminal.note(`  ${name}: ${profileText(profile)}`);
    terminal.document({ url: running.url, port: running.port, models: names, tasks: tasks.length });
    const knowing = learn(tasks, known.resolve, terminal);
    await Promise.race([stopped, knowing.then(() => stopped)]);
  } finally {
    await running.close();
  }
  return exitStatus.done;
}

/** Serves each preset as a model of that name. */
function presets({ benchmark, format }: SimulateOptions): Served {
  if (!(format in benchmarkFormats))
    throw new InputError(`must be one of ${Object.keys(benchmarkFormats).join(', ')}; got "${format}"`, {
      field: '--format',
    });
  const path = benchmark === undefined ? starterBenchmark : resolve(benchmark);
  const request = {
    name: 'simulated',
    format: benchmark === undefined ? 'evenkeel' : (format as BenchmarkFormatName),
    path,
    seed: 0,
  };
  const models = Object.entries(simulatedProfiles).map(([name, profile]) => ({ name, profile }));
  return { models, load: async () => (await loadBenchmark(request)).tasks };
}

/**
 * Serves the spec's simulated models, including those of accounts with kind: simulator, under the names that requests
 * use, for the tasks of the spec's benchmarks.
 */
async function ofSpec(path: string, { benchmark }: SimulateOptions): Promise<Served> {
  if (benchmark !== undefined)
    throw new InputError('must not be given with a spec, which names its own benchmarks', { field: '--benchmark' });
  const file = await readSpecFile(path);
  const models = servedModels(file.spec);
  if (models.length === 0)
    throw new InputError(
      'has no simulated model: needs one with provider: simulated, or with an account of kind: simulator',
      {
        file: path,
        field: 'models',
      },
    );
  return { models, load: async () => [...tasksOf(await loadBenchmarks(file)).values()].flat() };
}

function servedModels(spec: Spec): Served['models'] {
  const simulated = spec.models.filter((model) => providerFacts(spec, model).simulated);
  const named = simulated.map((model) => {
    const name = model.model ?? model.id;
    return [
      name,
      model.profile === undefined && isPreset(name) ? simulatedProfiles[name] : simulatedProfileOf(model),
    ] as const;
  });
  return [...new Map(named)].map(([name, profile]) => ({ name, profile }));
}

const isPreset = (name: string): name is keyof typeof simulatedProfiles => Object.hasOwn(simulatedProfiles, name);

/** Runs the mutations: a simulated model's wrong answers are programs that did fail. */
async function learn(
  tasks: readonly Task[],
  serve: (tasks: readonly SimulatedTask[]) => void,
  terminal: Terminal,
): Promise<void> {
  const box = await openSandbox('auto');
  const ready = 'right answers are given already, wrong ones once their task was run';
  try {
    const cache = createReferenceCache(join(cacheFolder(process.env), 'references'));
    const learned = learnTasks(tasks, { box, cache }, (known) =>
      terminal.progress(`running references and mutations: ${known} of ${counted(tasks.length, 'task')}; ${ready}`),
    );
    serve(learned.tasks);
    await learned.all;
    terminal.note(`references and mutations of ${counted(tasks.length, 'task')} are known`);
  } finally {
    await box.close();
  }
}
