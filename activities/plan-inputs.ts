/** What a spec names by file, read and checked before anything is made of it. */
import { resolve } from 'node:path';
import { InputError } from '../domain/errors.ts';
import { specPlace } from '../domain/spec/spec-place.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { studyOf } from '../studies/index.ts';
import { withFilesWrittenOut } from './written-out.ts';
import type { TimesOf } from './left-out.ts';
import { readVariantSets, type VariantSets } from './import-variants.ts';
import { loadBenchmark, type LoadedBenchmark } from './benchmarks/load.ts';
import type { SandboxIdentity } from './execution-key.ts';
import { checkRecording } from './providers/replay.ts';
import { namedFiles } from './recordings.ts';
import { simulatedProfileOf } from './simulated-profile.ts';

export interface SpecFile {
  readonly spec: Spec;
  readonly text: string;
  /** Its name, kept with the run for messages. */
  readonly name?: string;
  /** Where it lies, as the user gave it. */
  readonly path?: string;
  /** Paths in the spec are relative to it. */
  readonly folder: string;
}

export interface PlanOptions extends SpecFile {
  readonly runsDir: string;
  readonly runId: string;
  readonly sandbox: SandboxIdentity;
  /** Times of references, for studies with `maxReferenceMs`: known ones, or run now. */
  readonly referenceTimes?: TimesOf;
}

/** Loaded benchmarks by name. Throws InputError for a file that breaks a rule, or lacks what a study needs. */
export async function loadBenchmarks(file: SpecFile): Promise<Map<string, LoadedBenchmark>> {
  const { spec, folder } = file;
  const loaded = Object.entries(spec.benchmarks).map(async ([name, benchmark]) => {
    const path = resolve(folder, benchmark.path);
    const suites = benchmark.suites?.map((suite) => (typeof suite === 'string' ? suite : { ...suite, path: resolve(folder, suite.path) }));
    const request = { name, ...benchmark, path, suites, seed: spec.seed };
    return [name, await loadBenchmark(request).catch((error: unknown) => throwPlaced(error, file, name))] as const;
  });
  const benchmarks = new Map(await Promise.all(loaded));
  for (const [index, study] of spec.studies.entries()) checkTasks(file, study, index, benchmarks.get(study.benchmark)?.tasks ?? []);
  return benchmarks;
}

/** A fault of the spec's own words about a benchmark gets its line; faults of the benchmark's file have one already. */
function throwPlaced(error: unknown, spec: SpecFile, benchmark: string): never {
  const prefix = `benchmarks.${benchmark}.`;
  if (!(error instanceof InputError) || error.file !== null || !error.field?.startsWith(prefix)) throw error;
  throw faultOf(spec, ['benchmarks', benchmark, ...error.field.slice(prefix.length).split('.')], error.rule);
}

function checkTasks(file: SpecFile, study: SpecStudy, index: number, tasks: readonly Task[]): void {
  for (const task of tasks) {
    const lack = studyOf(study).lacks?.(task, study) ?? null;
    if (lack !== null) throw faultOf(file, ['studies', index, 'benchmark'], `${study.kind} needs ${lack}, ${task.taskId} has none`);
  }
}

/** Python runs everywhere. Throws where another language is wanted of a sandbox that has no interpreter for it. */
export function checkTier(options: PlanOptions, benchmarks: ReadonlyMap<string, LoadedBenchmark>): void {
  if (options.sandbox.tier === 'container') return;
  for (const [name, { tasks }] of benchmarks) {
    const other = tasks.find(({ language }) => language !== 'python');
    if (other === undefined) continue;
    const rule = `programs in ${other.language} need the container sandbox, this machine's is ${options.sandbox.tier}; \`evenkeel doctor\` says why`;
    throw faultOf(options, ['benchmarks', name, 'path'], rule);
  }
}

const faultOf = ({ text, path, name }: SpecFile, at: readonly (string | number)[], rule: string): InputError =>
  new InputError(`${at.join('.')}: ${rule}`, { file: path ?? name ?? 'the spec', ...specPlace(text, at) });

/** What else the spec names by file: recordings, taxonomies (written out in the spec that comes back) and variant sets. Throws InputError. */
export async function readInputs(
  file: SpecFile,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<{ readonly spec: Spec; readonly sets: VariantSets }> {
  const spec = await withFilesWrittenOut(file.spec, file.folder);
  await checkModels(file);
  const sets = await readVariantSets(spec.studies, file.folder, (name) => benchmarks.get(name)?.tasks ?? []);
  return { spec, sets };
}

/** Recordings and profiles are read once before anything is made, so that their faults are the spec's. Throws InputError. */
async function checkModels({ spec, folder }: SpecFile): Promise<void> {
  for (const model of spec.models) {
    if (model.provider === 'simulated') simulatedProfileOf(model);
  }
  for (const file of new Set(namedFiles(spec, folder).values())) await checkRecording(file);
}

export const tasksOf = (benchmarks: ReadonlyMap<string, { readonly tasks: readonly Task[] }>): Map<string, readonly Task[]> =>
  new Map([...benchmarks].map(([name, { tasks }]) => [name, tasks]));
