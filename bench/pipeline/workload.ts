/**
 * The workload of the pipeline benchmark: tasks of the starter benchmark, copied under other names to get enough.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecFile } from '../../activities/runs/plan-inputs.ts';
import { simulatedTask } from '../../activities/calls/simulated-tasks.ts';
import { loadBenchmark } from '../../activities/benchmarks/load.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import { type SimulatedProfileInput, simulatedProfile } from '../../simulator/profile.ts';
import type { SimulatorOptions } from '../../simulator/server.ts';

export const loops = 10;
export const fewModels = 5;
/** Every program passes the stub sandbox, so each cell has M codes and M - 1 summaries. */
export const samplesPerCell = 2 * loops - 1;
/** Calls in flight: per model in process, per account over HTTP. */
export const concurrency = 128;

export interface Workload {
  readonly models: number;
  /** Cells of each model. */
  readonly tasks: number;
  readonly samples: number;
}

/** The smallest workload of at least this many samples. */
export function workloadOf(samples: number, models = fewModels): Workload {
  const tasks = Math.ceil(samples / (models * samplesPerCell));
  return { models, tasks, samples: tasks * models * samplesPerCell };
}

interface StarterRecord {
  readonly task_id: string;
  readonly prompt: string;
  readonly entry_point: string;
  readonly reference: string;
  readonly suites: Readonly<Record<string, { readonly inputs: unknown }>>;
}

const tasksFile = 'tasks.jsonl';
const namesOf = (models: number): string[] => Array.from({ length: models }, (_, index) => `bench-${index}`);
export const modelNames = namesOf(fewModels);

/** Always right, slightly forgetful: all answers are code or a summary, and prompts differ between loops. */
const profile = (index: number): SimulatedProfileInput => ({ seed: index, competence: 1, driftPerLoop: 0.05 });

export function writeTasks(folder: string, count: number): void {
  const starter = new URL('../../data/starter/starter.jsonl', import.meta.url);
  const lines = readFileSync(starter, 'utf8').split('\n').filter(Boolean);
  const records = lines.map((line) => JSON.parse(line) as StarterRecord);
  const copies = Array.from({ length: count }, (_, index) =>
    copyOf(records[index % records.length] as StarterRecord, index),
  );
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, tasksFile), copies.map((copy) => `${JSON.stringify(copy)}\n`).join(''));
}

/** Without expected values: the stub returns the same for the reference and for every program. */
function copyOf({ prompt, entry_point, reference, suites }: StarterRecord, index: number): StarterRecord {
  const name = `${entry_point}_${index}`;
  const renamed = (text: string): string => text.replaceAll(new RegExp(`\\b${entry_point}\\b`, 'g'), name);
  const inputsOnly = Object.entries(suites).map(([suite, { inputs }]) => [suite, { inputs }] as const);
  return {
    task_id: `Bench/${index}`,
    prompt: renamed(prompt),
    entry_point: name,
    reference: renamed(reference),
    suites: Object.fromEntries(inputsOnly),
  };
}

/** @param baseUrl of a simulator; null asks the simulated models in the worker's own process */
export function specOf(folder: string, baseUrl: string | null, models = fewModels): SpecFile {
  const provider = baseUrl === null ? 'simulated' : 'simulator';
  const text = JSON.stringify({
    name: `bench-${provider}`,
    ...(baseUrl !== null && { providers: { simulator: { kind: 'simulator', baseUrl, limits: { concurrency } } } }),
    models: namesOf(models).map((id, index) => ({
      id,
      provider,
      ...(baseUrl === null && { profile: profile(index) }),
    })),
    benchmarks: { bench: { format: 'evenkeel', path: tasksFile } },
    studies: [{ name: 'evaloop', kind: 'evaloop', benchmark: 'bench', settings: { maxLoops: loops } }],
  });
  return { spec: parseSpec(text, 'bench.json'), text, folder };
}

/** The same models behind an endpoint. */
export async function simulatorOptions(folder: string): Promise<SimulatorOptions> {
  const tasks = await tasksIn(folder);
  return {
    models: modelNames.map((name, index) => ({ name, profile: simulatedProfile(profile(index)) })),
    tasks: tasks.map((task) => simulatedTask(task, [])),
  };
}

export async function tasksIn(folder: string) {
  const { tasks } = await loadBenchmark({ name: 'bench', format: 'evenkeel', path: join(folder, tasksFile), seed: 0 });
  return tasks;
}
