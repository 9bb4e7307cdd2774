/** Extends an existing run with what its spec adds; refuses any other change of the spec. */
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Spec } from '../../schemas/spec.ts';
import { planRevision } from '../../studies/plan.ts';
import { type Decided, leftOutOf } from './left-out.ts';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import { withExtraction } from './extraction-rules.ts';
import { type FreshRecording, freshRecordings, namedFiles, putFresh, withFresh, withSources } from './recordings.ts';
import { deeperStudies, specDifferences } from './spec-differences.ts';
import { withoutLedgerSeal } from '../storage/ledger/sqlite/ledger-seal.ts';
import { runBlobs } from '../storage/blobs/run-blobs.ts';
import { updateManifest } from '../storage/manifest.ts';
import { readManifest } from '../storage/manifest-file.ts';
import { unsealLedger } from '../storage/seals.ts';
import { openRunLedger } from '../storage/run-ledger.ts';
import { grownVersions, refuseOtherVersions } from './run-versions.ts';
import { type SpecFile, type PlanOptions, tasksOf } from './plan-inputs.ts';
import { revisionsOf, plannedTasks } from './planned-run.ts';
import { type PlannedRun, specOf, recorded, timesFor, putPlan, putBenchmarks } from './plan-manifest.ts';

export async function extendRun(
  folder: string,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Omit<PlannedRun, 'folder' | 'ledger'>> {
  const { revisions, fresh, spec, decided, deeper } = await extensionOf(folder, given, benchmarks);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), decided, timesFor(options));
  const revision = planRevision(options.spec, tasksOf(benchmarks), revisions, leftOut, deeper);
  if (!revision) return unchangedRun(folder, options, fresh);
  // Before anything is stored: a ledger that does not match its seal is refused, and nothing changes.
  await unsealLedger(folder);
  const inputs = runBlobs(folder);
  await putFresh(inputs, fresh);
  const plan = await putPlan(inputs, revision, options.spec, revisions);
  const stored = await putBenchmarks(inputs, options, benchmarks);
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    ...specOf(options),
    versions: grownVersions(old.versions, options.spec),
    plan: [...old.plan, plan],
    ...recorded(leftOut),
    benchmarks: stored,
    replays: withRecordings(folder, old, options, fresh),
    state: 'running',
    stateDetail: null,
    finishedAt: null,
  }));
  return { manifest, change: 'extended', grown: grownIn(fresh) };
}

/** A complete run needs no new replies, so it keeps the recordings that its answers came from. */
async function unchangedRun(
  folder: string,
  options: PlanOptions,
  fresh: readonly FreshRecording[],
): Promise<Omit<PlannedRun, 'folder' | 'ledger'>> {
  const takenOf = (some: readonly FreshRecording[], { state }: Manifest): readonly FreshRecording[] =>
    state === 'complete' ? some.filter(({ outgrown }) => outgrown === null) : some;
  const put = takenOf(fresh, await readManifest(folder));
  await putFresh(runBlobs(folder), put);
  const taken = (manifest: Manifest): readonly FreshRecording[] => takenOf(put, manifest);
  const manifest = await updateManifest(folder, (old) => ({
    ...unsealedWhereChanged(folder, old, options.spec),
    ...specOf(options),
    versions: grownVersions(old.versions, options.spec),
    replays: withRecordings(folder, old, options, taken(old)),
  }));
  return { manifest, change: 'unchanged', grown: grownIn(taken(manifest)) };
}

const withRecordings = (
  folder: string,
  old: Manifest,
  file: SpecFile,
  fresh: readonly FreshRecording[],
): Manifest['replays'] => withSources(folder, withFresh(old.replays, fresh), namedFiles(file.spec, file.folder));

const grownIn = (fresh: readonly FreshRecording[]): FreshRecording[] =>
  fresh.filter(({ outgrown }) => outgrown !== null);

/**
 * An incomplete run continues, and a changed budget is written to the ledger; the ledger may be sealed in both cases.
 */
const unsealedWhereChanged = (folder: string, old: Manifest, { budget }: Spec): Manifest =>
  old.state === 'complete' && isDeepStrictEqual(old.spec.budget, budget) ? old : withoutLedgerSeal(folder, old);

/**
 * The plan of the existing run, and the changes of its recordings. Throws InputError if the spec or a recording changes
 * more than a run can be extended with.
 */
export async function extensionOf(
  folder: string,
  { spec: given, runId, folder: specFolder }: Pick<PlanOptions, 'spec' | 'runId' | 'folder'>,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Extension> {
  const manifest = await readManifest(folder);
  refuseOtherVersions(manifest);
  const spec = withExtraction(given, manifest.spec);
  const planned = await plannedTasks(folder, manifest);
  const differences = specDifferences(
    manifest.spec,
    planned,
    spec,
    tasksOf(benchmarks),
    await unansweredModels(folder, manifest),
  );
  if (differences.length > 0) throw new InputError(refusal(runId, differences));
  const fresh = await freshRecordings(folder, manifest.replays, namedFiles(spec, specFolder));
  const revisions = await revisionsOf(folder, manifest);
  return {
    revisions,
    fresh,
    spec,
    decided: { leftOut: manifest.leftOut ?? {}, revisions },
    deeper: deeperStudies(manifest.spec, spec),
  };
}

interface Extension {
  readonly revisions: PlanRevision[];
  readonly fresh: FreshRecording[];
  readonly spec: Spec;
  readonly decided: Decided;
  /** Names of studies that ask more of their planned cells. */
  readonly deeper: ReadonlySet<string>;
}

async function unansweredModels(folder: string, manifest: Manifest): Promise<Set<string>> {
  const ledger = await openRunLedger(folder, manifest);
  try {
    return new Set(manifest.spec.models.map(({ id }) => id)).difference(await ledger.answeredModels());
  } finally {
    await ledger.close();
  }
}

const refusal = (runId: string, differences: readonly string[]): string =>
  [
    `run "${runId}" exists, and this spec changes more than a run can be extended with:`,
    ...differences.map((line) => `  - ${line}`),
    'Give the spec another name, or start it next to the old one with --run ID.',
  ].join('\n');
