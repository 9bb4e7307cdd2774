/** Creates a run from a spec, with everything that a resume needs: tasks, recordings, plan. */
import { randomUUID } from 'node:crypto';
import { InputError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { planRevision } from '../../studies/plan.ts';
import { type LeftOut, leftOutLines, leftOutOf, undecided } from './left-out.ts';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import { withExtraction } from './extraction-rules.ts';
import { freshRecordings, namedFiles, putFresh, withFresh, withSources } from './recordings.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';
import type { RunCatalog } from '../storage/catalog/run-catalog.ts';
import { versionsOf } from './run-versions.ts';
import { programVersion } from './version.ts';
import { type PlanOptions, loadBenchmarks, checkTier, readInputs, tasksOf } from './plan-inputs.ts';
import { openPlanned } from './planned-run.ts';
import { type PlannedRun, specOf, recorded, timesFor, putPlan, putBenchmarks } from './plan-manifest.ts';
import { checkReusedRuns } from './reused-runs.ts';
import { extendRun } from './extend-run.ts';

/**
 * Creates the run, extends it, or finds it unchanged. Throws InputError if the spec changes more than an existing run
 * of that id can be extended with.
 */
export const planRun = (given: PlanOptions): Promise<PlannedRun> => planIn(runCatalog(given.runsDir), given);

/** As `planRun`, in a catalog that was opened before. */
export async function planIn(catalog: RunCatalog, given: PlanOptions): Promise<PlannedRun> {
  await checkReusedRuns(given.runsDir, given.runId, given, await knownReuse(catalog, given.runId));
  const benchmarks = await loadBenchmarks(given);
  const { spec, sets } = await readInputs(given, benchmarks);
  const options = { ...given, spec };
  checkTier(options, benchmarks);
  const home = catalog.home(given.runId);
  const planned = (await newRun(catalog, options, benchmarks)) ?? (await extendRun(home, options, benchmarks));
  const ledger = await openPlanned(home, planned.manifest);
  await sets.keep(ledger);
  return { home, ledger, ...planned };
}

/** Undefined if the run exists, even if another process just created it. */
async function newRun(
  catalog: RunCatalog,
  options: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Omit<PlannedRun, 'home' | 'ledger'> | undefined> {
  if (await catalog.has(options.runId)) return undefined;
  try {
    return { manifest: await createRun(catalog, options, benchmarks), change: 'created', grown: [] };
  } catch (error) {
    if (await catalog.has(options.runId)) return undefined;
    throw error;
  }
}

/** Runs that the run has taken answers from may be gone: what it took is its own. */
const knownReuse = async (catalog: RunCatalog, runId: string): Promise<ReadonlySet<string>> =>
  new Set((await catalog.has(runId)) ? (await catalog.home(runId).manifest()).spec.reuse : []);

async function createRun(
  catalog: RunCatalog,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Manifest> {
  const spec = withExtraction(given.spec, null);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), undecided, timesFor(options));
  const revision = planRevision(spec, tasksOf(benchmarks), [], leftOut);
  if (!revision) throw new InputError(nothingToDo(spec, leftOut));
  const files = namedFiles(spec, options.folder);
  const recordings = await freshRecordings(null, {}, files);
  return catalog.create(options.runId, async (inputs) => {
    await putFresh(inputs, recordings);
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
      plan: [await putPlan(inputs, revision, spec)],
      ...recorded(leftOut),
      benchmarks: await putBenchmarks(inputs, options, benchmarks),
      replays: withSources(catalog.home(options.runId), withFresh({}, recordings), files),
      sandbox: { ...options.sandbox },
      parts: [],
    };
  });
}

const nothingToDo = (spec: Spec, leftOut: LeftOut): string =>
  ['the spec has nothing to do: no study has both tasks and models', ...leftOutLines(spec, leftOut)].join('\n');
