/** Reads and checks the files that a spec names, before anything is created. */
import { languages } from '../../domain/languages/index.ts';
import { resolve } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { writtenIndex } from '../../domain/spec/efforts.ts';
import { readsKey } from '../../domain/spec/provider-facts.ts';
import { specPlace } from '../../domain/spec/spec-place.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { Task } from '../../schemas/task.ts';
import { studyOf } from '../../studies/index.ts';
import { withFilesWrittenOut } from './written-out.ts';
import type { TimesOf } from './left-out.ts';
import { readVariantSets, type VariantSets } from '../exchange/import-variants.ts';
import { loadBenchmark, type LoadedBenchmark } from '../benchmarks/load.ts';
import type { SandboxIdentity } from '../judging/execution-key.ts';
import { checkRecording } from '../providers/replay.ts';
import { namedFiles } from './recordings.ts';
import { simulatedProfileOf } from '../providers/simulated-profile.ts';

export interface SpecFile {
  readonly spec: Spec;
  readonly text: string;
  /** Its name, stored with the run for messages. */
  readonly name?: string;
  /** Its path, as the user gave it. */
  readonly path?: string;
  /** Paths in the spec are relative to it. */
  readonly folder: string;
}

export interface PlanOptions extends SpecFile {
  readonly runsDir: string;
  readonly runId: string;
  readonly sandbox: SandboxIdentity;
  /** Gives the times of references, for studies with `maxReferenceMs`: from the cache, or by running them. */
  readonly referenceTimes?: TimesOf;
  /** Rejects if this machine cannot do what an existing run would be extended by: then nothing of it is changed. */
  readonly beforeExtending?: () => Promise<void>;
}

/**
 * Loaded benchmarks by name. Throws InputError for a file that breaks a rule, or lacks something that a study needs.
 */
export async function loadBenchmarks(file: SpecFile): Promise<Map<string, LoadedBenchmark>> {
  const { spec, folder } = file;
  const loaded = Object.entries(spec.benchmarks).map(async ([name, benchmark]) => {
    const path = resolve(folder, benchmark.path);
    const suites = benchmark.suites?.map((suite) =>
      typeof suite === 'string' ? suite : { ...suite, path: resolve(folder, suite.path) },
    );
    const request = { name, ...benchmark, path, suites, seed: spec.seed };
    return [name, await loadBenchmark(request).catch((error: unknown) => throwPlaced(error, file, name))] as const;
  });
  const benchmarks = new Map(await Promise.all(loaded));
  for (const [index, study] of spec.studies.entries())
    checkTasks(file, study, index, benchmarks.get(study.benchmark)?.tasks ?? []);
  return benchmarks;
}

/** Adds the spec's line to an error in the spec's text; errors in the benchmark's file already have a place. */
function throwPlaced(error: unknown, spec: SpecFile, benchmark: string): never {
  const prefix = `benchmarks.${benchmark}.`;
  if (!(error instanceof InputError) || error.file !== null || !error.field?.startsWith(prefix)) throw error;
  throw faultOf(spec, ['benchmarks', benchmark, ...error.field.slice(prefix.length).split('.')], error.rule);
}

function checkTasks(file: SpecFile, study: SpecStudy, index: number, tasks: readonly Task[]): void {
  for (const task of tasks) {
    const lack = studyOf(study).lacks?.(task, study) ?? null;
    if (lack !== null)
      throw faultOf(
        file,
        ['studies', writtenIndex(file.spec, index), 'benchmark'],
        `${study.kind} needs ${lack}, ${task.taskId} has none`,
      );
  }
}

/** The first benchmark whose language needs another sandbox tier, and why. Python runs on every tier. */
export function lackingTier(
  tier: string,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): { readonly benchmark: string; readonly rule: string } | null {
  if (tier === 'container') return null;
  for (const [benchmark, { tasks }] of benchmarks) {
    const other = tasks.find(({ language }) => languages[language].isScript);
    if (other === undefined) continue;
    const rule =
      `programs in ${other.language} need the container sandbox, this machine's is ${tier}; ` +
      `\`evenkeel doctor\` says why`;
    return { benchmark, rule };
  }
  return null;
}

/** Throws if a benchmark's language needs another sandbox tier. */
export function checkTier(options: PlanOptions, benchmarks: ReadonlyMap<string, LoadedBenchmark>): void {
  const lack = lackingTier(options.sandbox.tier, benchmarks);
  if (lack !== null) throw faultOf(options, ['benchmarks', lack.benchmark, 'path'], lack.rule);
}

/** A fault at a place of the spec, with its file, line and column. */
export const faultOf = ({ text, path, name }: SpecFile, at: readonly (string | number)[], rule: string): InputError =>
  new InputError(`${at.join('.')}: ${rule}`, { file: path ?? name ?? 'the spec', ...specPlace(text, at) });

/**
 * Reads the other files of the spec: recordings, taxonomies (copied into the returned spec) and variant
 * sets. Throws InputError.
 */
export async function readInputs(
  file: SpecFile,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<{ readonly spec: Spec; readonly sets: VariantSets }> {
  const spec = await withFilesWrittenOut(file.spec, file.folder);
  await checkModels(file);
  const sets = await readVariantSets(spec.studies, file.folder, (name) => benchmarks.get(name)?.tasks ?? []);
  return { spec, sets };
}

/** Checks recordings and profiles before anything is created, so that errors name the spec. Throws InputError. */
async function checkModels({ spec, folder }: SpecFile): Promise<void> {
  for (const model of spec.models) {
    if (readsKey(model, 'profile')) simulatedProfileOf(model);
  }
  for (const file of new Set(namedFiles(spec, folder).values())) await checkRecording(file);
}

export const tasksOf = (
  benchmarks: ReadonlyMap<string, { readonly tasks: readonly Task[] }>,
): Map<string, readonly Task[]> => new Map([...benchmarks].map(([name, { tasks }]) => [name, tasks]));
