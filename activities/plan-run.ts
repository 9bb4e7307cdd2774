/** From a spec to a run folder that holds everything a resume needs: tasks, recordings, plan. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../domain/errors.ts';
import { canonicalJson } from '../domain/ids.ts';
import { specPlace } from '../domain/spec/spec-place.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { PlanRevision } from '../schemas/plan.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { studyOf } from '../studies/index.ts';
import { pagesOf, planRevision } from '../studies/plan.ts';
import { withFilesWrittenOut } from './written-out.ts';
import { type Decided, type LeftOut, leftOutOf, type TimesOf, undecided } from './left-out.ts';
import { readVariantSets, type VariantSets } from './import-variants.ts';
import { loadBenchmark, type LoadedBenchmark } from './benchmarks/load.ts';
import type { SandboxIdentity } from './execution-key.ts';
import { withExtraction } from './extraction-rules.ts';
import { checkRecording } from './providers/replay.ts';
import { type FreshRecording, freshRecordings, namedFiles, withFresh, withSources } from './recordings.ts';
import { simulatedProfileOf } from './simulated-profile.ts';
import { deeperStudies, specDifferences } from './spec-differences.ts';
import type { Ledger } from './storage/ledger.ts';
import { withoutLedgerSeal } from './storage/ledger-seal.ts';
import { updateManifest } from './storage/manifest.ts';
import { readManifestToGoOn } from './storage/manifest-file.ts';
import { manifestPath } from './storage/run-paths.ts';
import { createRunFolder, putInput, readInput } from './storage/run-folder.ts';
import { openRunLedger } from './storage/run-ledger.ts';
import { grownVersions, madeBy, refuseOtherVersions, versionsOf } from './run-versions.ts';
import { programVersion } from './version.ts';

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

export interface PlannedRun {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly ledger: Ledger;
  /** How this call found the run. */
  readonly change: 'created' | 'extended' | 'unchanged';
  /** Recordings to which replies were added, which the run now has. */
  readonly grown: readonly FreshRecording[];
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
function checkTier(options: PlanOptions, benchmarks: ReadonlyMap<string, LoadedBenchmark>): void {
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

/** Creates the run, extends it, or finds it as it is. Throws InputError where the spec is no addition to the run of that id. */
export async function planRun(given: PlanOptions): Promise<PlannedRun> {
  const folder = join(given.runsDir, given.runId);
  const benchmarks = await loadBenchmarks(given);
  const { spec, sets } = await readInputs(given, benchmarks);
  const options = { ...given, spec };
  checkTier(options, benchmarks);
  const planned = (await newRun(folder, options, benchmarks)) ?? (await extendRun(folder, options, benchmarks));
  const ledger = await openPlanned(folder, planned.manifest);
  await sets.keep(ledger);
  return { folder, ledger, ...planned };
}

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

/** Undefined when the run is there, also when another process has made it at this very moment. Throws InputError where a folder is no run. */
async function newRun(
  folder: string,
  options: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Omit<PlannedRun, 'folder' | 'ledger'> | undefined> {
  if (isRun(folder)) return undefined;
  try {
    return { manifest: await createRun(folder, options, benchmarks), change: 'created', grown: [] };
  } catch (error) {
    if (isRun(folder)) return undefined;
    throw error;
  }
}

/** A run's folder has its manifest from the first moment. */
function isRun(folder: string): boolean {
  if (!existsSync(folder)) return false;
  if (existsSync(manifestPath(folder))) return true;
  throw new InputError('is there but has no manifest.json: put it back from a copy, or use another name (--run ID)', { file: folder });
}

/** The run's ledger with every page of its plan; adding a page again changes nothing. */
export async function openPlanned(folder: string, manifest: Manifest): Promise<Ledger> {
  const ledger = openRunLedger(folder, manifest);
  const pages = pagesOf(await revisionsOf(folder, manifest));
  ledger.addPages(
    pages.map(({ page: { page, study, model, cells }, revision }) => ({ page, study, model, cells: cells.length, revision })),
  );
  ledger.setBudget({ usd: manifest.spec.budget?.usd ?? null, tokens: manifest.spec.budget?.tokens ?? null });
  return ledger;
}

export const revisionsOf = (folder: string, manifest: Manifest): Promise<PlanRevision[]> =>
  Promise.all(manifest.plan.map(async (plan) => JSON.parse(await readInput(folder, plan)) as PlanRevision));

/** Recordings and profiles are read once before anything is made, so that their faults are the spec's. Throws InputError. */
async function checkModels({ spec, folder }: SpecFile): Promise<void> {
  for (const model of spec.models) {
    if (model.provider === 'simulated') simulatedProfileOf(model);
  }
  for (const file of new Set(namedFiles(spec, folder).values())) await checkRecording(file);
}

async function createRun(folder: string, given: PlanOptions, benchmarks: ReadonlyMap<string, LoadedBenchmark>): Promise<Manifest> {
  const spec = withExtraction(given.spec, null);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), undecided, timesFor(options));
  const revision = planRevision(spec, tasksOf(benchmarks), [], leftOut);
  if (!revision) throw new InputError('the spec has nothing to do: no study has both tasks and models');
  const files = namedFiles(spec, options.folder);
  const recordings = await freshRecordings(folder, {}, files);
  return createRunFolder(folder, async (aside) => {
    const now = new Date().toISOString();
    return {
      formatVersion: 1,
      programVersion,
      uuid: randomUUID(),
      runId: options.runId,
      state: 'running',
      stateDetail: null,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
      ...specOf(options),
      versions: versionsOf(spec),
      plan: [putPlan(aside, revision, spec)],
      ...recorded(leftOut),
      benchmarks: putBenchmarks(aside, options, benchmarks),
      replays: withSources(folder, withFresh(aside, {}, recordings), files),
      sandbox: { ...options.sandbox },
      parts: [],
    };
  });
}

const recorded = (leftOut: LeftOut): Pick<Manifest, 'leftOut'> => (Object.keys(leftOut).length === 0 ? {} : { leftOut });

function timesFor({ referenceTimes }: PlanOptions): TimesOf {
  if (referenceTimes !== undefined) return referenceTimes;
  return () => Promise.reject(new Error('a study with maxReferenceMs needs the times of references, and nobody measures them here'));
}

async function extendRun(
  folder: string,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Omit<PlannedRun, 'folder' | 'ledger'>> {
  const { revisions, fresh, spec, decided, deeper } = await extensionOf(folder, given, benchmarks);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), decided, timesFor(options));
  const revision = planRevision(options.spec, tasksOf(benchmarks), revisions, leftOut, deeper);
  if (!revision) return unchangedRun(folder, options, fresh);
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    ...specOf(options),
    versions: grownVersions(old.versions, options.spec),
    plan: [...old.plan, putPlan(folder, revision, options.spec)],
    ...recorded(leftOut),
    benchmarks: putBenchmarks(folder, options, benchmarks),
    replays: withRecordings(folder, old, options, fresh),
    state: 'running',
    stateDetail: null,
    finishedAt: null,
  }));
  return { manifest, change: 'extended', grown: grownIn(fresh) };
}

/** Nothing asks for what was added to the recordings of a complete run: it keeps the copies that its answers are from. */
async function unchangedRun(
  folder: string,
  options: PlanOptions,
  fresh: readonly FreshRecording[],
): Promise<Omit<PlannedRun, 'folder' | 'ledger'>> {
  const takenBy = ({ state }: Manifest): readonly FreshRecording[] =>
    state === 'complete' ? fresh.filter(({ outgrown }) => outgrown === null) : fresh;
  const manifest = await updateManifest(folder, (old) => ({
    ...unsealedWhereChanged(folder, old, options.spec),
    ...specOf(options),
    versions: grownVersions(old.versions, options.spec),
    replays: withRecordings(folder, old, options, takenBy(old)),
  }));
  return { manifest, change: 'unchanged', grown: grownIn(takenBy(manifest)) };
}

/** What of the manifest is the spec's alone. */
const specOf = ({ spec, text, name }: SpecFile): Pick<Manifest, 'spec' | 'specText' | 'specFile'> => ({
  spec,
  specText: text,
  ...(name !== undefined && { specFile: name }),
});

const withRecordings = (folder: string, old: Manifest, file: SpecFile, fresh: readonly FreshRecording[]): Manifest['replays'] =>
  withSources(folder, withFresh(folder, old.replays, fresh), namedFiles(file.spec, file.folder));

const grownIn = (fresh: readonly FreshRecording[]): FreshRecording[] => fresh.filter(({ outgrown }) => outgrown !== null);

/** A run that is not complete goes on, and another budget is written to the ledger; either may find it at rest under its seal. */
const unsealedWhereChanged = (folder: string, old: Manifest, { budget }: Spec): Manifest =>
  old.state === 'complete' && isDeepStrictEqual(old.spec.budget, budget) ? old : withoutLedgerSeal(folder, old);

/** The plan of the run that is there, and what is new of recordings. Throws InputError where spec or recording is no addition to the run. */
export async function extensionOf(
  folder: string,
  { spec: given, runId, folder: specFolder }: Pick<PlanOptions, 'spec' | 'runId' | 'folder'>,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Extension> {
  const manifest = await readManifestToGoOn(folder);
  refuseOtherVersions(manifest);
  const spec = withExtraction(given, manifest.spec);
  const planned = await plannedTasks(folder, manifest);
  const differences = specDifferences(manifest.spec, planned, spec, tasksOf(benchmarks), unansweredModels(folder, manifest));
  if (differences.length > 0) throw new InputError(refusal(runId, differences));
  const fresh = await freshRecordings(folder, manifest.replays, namedFiles(spec, specFolder));
  const revisions = await revisionsOf(folder, manifest);
  return { revisions, fresh, spec, decided: { leftOut: manifest.leftOut ?? {}, revisions }, deeper: deeperStudies(manifest.spec, spec) };
}

interface Extension {
  readonly revisions: PlanRevision[];
  readonly fresh: FreshRecording[];
  readonly spec: Spec;
  readonly decided: Decided;
  /** Names of studies that ask more of the cells that are planned. */
  readonly deeper: ReadonlySet<string>;
}

function unansweredModels(folder: string, manifest: Manifest): Set<string> {
  const ledger = openRunLedger(folder, manifest);
  try {
    return new Set(manifest.spec.models.flatMap(({ id }) => (ledger.hasAnswered(id) ? [] : [id])));
  } finally {
    ledger.close();
  }
}

const refusal = (runId: string, differences: readonly string[]): string =>
  [
    `run "${runId}" exists, and this spec is more than an addition to it:`,
    ...differences.map((line) => `  - ${line}`),
    'Give the spec another name, or start it beside the old one with --run ID.',
  ].join('\n');

export const tasksOf = (benchmarks: ReadonlyMap<string, { readonly tasks: readonly Task[] }>): Map<string, readonly Task[]> =>
  new Map([...benchmarks].map(([name, { tasks }]) => [name, tasks]));

/** The tasks as the run took them, by benchmark. */
export async function plannedTasks(folder: string, manifest: Manifest): Promise<Map<string, readonly Task[]>> {
  const read = Object.entries(manifest.benchmarks).map(async ([name, input]) => {
    const lines = (await readInput(folder, input)).split('\n').filter(Boolean);
    return [name, lines.map((line) => JSON.parse(line) as Task)] as const;
  });
  return new Map(await Promise.all(read));
}

function putPlan(folder: string, revision: PlanRevision, spec: Spec): Manifest['plan'][number] {
  const cells = revision.pages.reduce((sum, page) => sum + page.cells.length, 0);
  return {
    ...putInput(folder, canonicalJson(revision), 'json'),
    revision: revision.revision,
    createdAt: new Date().toISOString(),
    pages: revision.pages.length,
    cells,
    ...madeBy(spec),
  };
}

function putBenchmarks(folder: string, { spec }: SpecFile, benchmarks: ReadonlyMap<string, LoadedBenchmark>): Manifest['benchmarks'] {
  const entries = [...benchmarks].map(([name, { tasks, fileSha256, joinedSha256 }]) => {
    const lines = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
    const format = spec.benchmarks[name]?.format ?? '';
    return [name, { ...putInput(folder, lines, 'jsonl'), sourceSha256: fileSha256, joinedSha256, tasks: tasks.length, format }] as const;
  });
  return Object.fromEntries(entries);
}
