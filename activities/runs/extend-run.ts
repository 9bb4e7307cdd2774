/** Extends an existing run with what its spec adds; refuses any other change of the spec. */
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../domain/errors.ts';
import { readYaml } from '../../domain/spec/yaml-text.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Spec } from '../../schemas/spec.ts';
import { nextRevision, planRevision } from '../../studies/plan.ts';
import { type Decided, leftOutOf } from './left-out.ts';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import { withExtraction } from './extraction-rules.ts';
import { type FreshRecording, freshRecordings, namedFiles, putFresh, withFresh, withSources } from './recordings.ts';
import { deeperStudies, hasMoreTasks, hasOtherModels, specDifferences } from './spec-differences.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import { updateManifest } from '../storage/manifest.ts';
import { grownVersions, refuseOtherVersions } from './run-versions.ts';
import { type SpecFile, type PlanOptions, tasksOf } from './plan-inputs.ts';
import { revisionsOf, plannedTasks } from './planned-run.ts';
import { type PlannedRun, specOf, recorded, timesFor, putPlan, putBenchmarks } from './plan-manifest.ts';

type Extended = Omit<PlannedRun, 'home' | 'ledger'>;

/** Decides as often as another process changes the run meanwhile: the run then is what that process made of it. */
export async function extendRun(
  home: RunHome,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Extended> {
  try {
    return await decidedOnce(home, given, benchmarks);
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return extendRun(home, given, benchmarks);
    throw error;
  }
}

/** Between the decision and its write another process has changed what was decided from. */
class ChangedMeanwhile extends Error {}

/** As `updateManifest`, for a change that was decided from the manifest `seen`. Throws `ChangedMeanwhile`. */
const updateSeen = (home: RunHome, seen: Manifest, change: (manifest: Manifest) => Manifest): Promise<Manifest> =>
  updateManifest(home, (old) => {
    if (!isDeepStrictEqual(groundsOf(old), groundsOf(seen))) throw new ChangedMeanwhile();
    return change(old);
  });

/** What an extension is decided from. The budget is none of it: a change of it is settled where it is written. */
function groundsOf({ plan, spec, versions, leftOut, benchmarks, replays }: Manifest): unknown {
  return { plan, spec: { ...spec, budget: undefined }, versions, leftOut, benchmarks, replays };
}

async function decidedOnce(
  home: RunHome,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Extended> {
  const { seen, revisions, fresh, spec, decided, deeper, namesMore } = await extensionOf(home, given, benchmarks);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), decided, timesFor(options));
  const added = planRevision(options.spec, tasksOf(benchmarks), revisions, leftOut, deeper);
  // Without pages, the tables of the run are written again.
  const revision = added ?? (namesMore ? { revision: nextRevision(revisions), pages: [] } : null);
  if (!revision) return unchangedRun(home, seen, options, fresh);
  if (added) await given.beforeExtending?.();
  // Before anything is stored: a ledger that does not match its seal is refused, and nothing changes.
  await home.seals.unseal();
  const inputs = home.blobs;
  await putFresh(inputs, fresh);
  const plan = await putPlan(inputs, revision, options.spec, revisions);
  const stored = await putBenchmarks(inputs, options, benchmarks);
  const manifest = await updateSeen(home, seen, (old) => ({
    ...home.seals.without(old),
    ...specOf({ ...options, spec: keptBudget(options.spec, old) }),
    versions: grownVersions(old.versions, options.spec),
    plan: [...old.plan, plan],
    ...recorded(leftOut),
    benchmarks: stored,
    replays: withRecordings(home, old, options, fresh),
    state: 'running',
    stateDetail: null,
    finishedAt: null,
  }));
  return { manifest, change: 'extended', grown: grownIn(fresh) };
}

/** A complete run needs no new replies, so it keeps the recordings that its answers came from. */
async function unchangedRun(
  home: RunHome,
  seen: Manifest,
  options: PlanOptions,
  fresh: readonly FreshRecording[],
): Promise<Extended> {
  const takenOf = (some: readonly FreshRecording[], { state }: Manifest): readonly FreshRecording[] =>
    state === 'complete' ? some.filter(({ outgrown }) => outgrown === null) : some;
  const put = takenOf(fresh, await home.manifest());
  await putFresh(home.blobs, put);
  const taken = (manifest: Manifest): readonly FreshRecording[] => takenOf(put, manifest);
  const manifest = await updateSeen(home, seen, (old) => {
    const spec = keptBudget(options.spec, old);
    return {
      ...unsealedWhereChanged(home, old, spec),
      ...specOf({ ...options, spec }),
      versions: grownVersions(old.versions, spec),
      replays: withRecordings(home, old, options, taken(old)),
    };
  });
  return { manifest, change: 'unchanged', grown: grownIn(taken(manifest)) };
}

/**
 * `evenkeel budget` changes a run, not its file. So dollars of which the spec says what it said before, or says nothing
 * as before, stay as the run has them, and those of which it says something else are the newer wish; the same holds for
 * tokens.
 */
export function keptBudget({ budget: wanted, ...rest }: Spec, { spec, specText }: Manifest): Spec {
  const stated = statedBudget(specText);
  const kept = <Unit extends keyof Budget>(unit: Unit): Budget[Unit] =>
    (wanted?.[unit] === stated?.[unit] ? spec.budget : wanted)?.[unit];
  const [usd, tokens] = [kept('usd'), kept('tokens')];
  if (usd === undefined && tokens === undefined) return rest;
  return { ...rest, budget: { ...(usd !== undefined && { usd }), ...(tokens !== undefined && { tokens }) } };
}

type Budget = NonNullable<Spec['budget']>;

/** Of a text that was checked when the run was made. */
function statedBudget(specText: string): Budget | undefined {
  const { value } = readYaml(specText, 'the spec', 'it was checked when the run was made');
  return (value as { readonly budget?: Budget } | null)?.budget;
}

const withRecordings = (
  home: RunHome,
  old: Manifest,
  file: SpecFile,
  fresh: readonly FreshRecording[],
): Manifest['replays'] => withSources(home, withFresh(old.replays, fresh), namedFiles(file.spec, file.folder));

const grownIn = (fresh: readonly FreshRecording[]): FreshRecording[] =>
  fresh.filter(({ outgrown }) => outgrown !== null);

/**
 * An incomplete run continues, and a changed budget is written to the ledger; the ledger may be sealed in both cases.
 */
const unsealedWhereChanged = (home: RunHome, old: Manifest, { budget }: Spec): Manifest =>
  old.state === 'complete' && isDeepStrictEqual(old.spec.budget, budget) ? old : home.seals.without(old);

/**
 * The plan of the existing run, and the changes of its recordings. Throws InputError if the spec or a recording changes
 * more than a run can be extended with.
 */
export async function extensionOf(
  home: RunHome,
  { spec: given, runId, folder: specFolder }: Pick<PlanOptions, 'spec' | 'runId' | 'folder'>,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Extension> {
  const manifest = await home.manifest();
  refuseOtherVersions(manifest);
  const spec = withExtraction(given, manifest.spec);
  const revisions = await revisionsOf(home, manifest);
  const planned = await plannedTasks(home, manifest);
  const differences = specDifferences(
    manifest.spec,
    planned,
    spec,
    tasksOf(benchmarks),
    await unansweredModels(home, manifest),
  );
  if (differences.length > 0) throw new InputError(refusal(runId, differences));
  const fresh = await freshRecordings(home, manifest.replays, namedFiles(spec, specFolder));
  return {
    seen: manifest,
    revisions,
    fresh,
    spec,
    decided: { leftOut: manifest.leftOut ?? {}, revisions },
    deeper: deeperStudies(manifest.spec, spec),
    namesMore:
      hasMoreTasks(planned, tasksOf(benchmarks)) ||
      (manifest.state === 'complete' && hasOtherModels(manifest.spec, spec)),
  };
}

interface Extension {
  readonly seen: Manifest;
  readonly revisions: PlanRevision[];
  readonly fresh: FreshRecording[];
  readonly spec: Spec;
  readonly decided: Decided;
  /** Names of studies that ask more of their planned cells. */
  readonly deeper: ReadonlySet<string>;
  /** Whether the spec has tasks that the run lacks, or models that a complete run's tables lack. */
  readonly namesMore: boolean;
}

async function unansweredModels(home: RunHome, manifest: Manifest): Promise<Set<string>> {
  const ledger = await home.openLedger(manifest);
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
