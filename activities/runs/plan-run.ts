/** Creates a run folder from a spec, with everything that a resume needs: tasks, recordings, plan. */
import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { planRevision } from '../../studies/plan.ts';
import { type LeftOut, leftOutLines, leftOutOf, undecided } from './left-out.ts';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import { withExtraction } from './extraction-rules.ts';
import { freshRecordings, namedFiles, putFresh, withFresh, withSources } from './recordings.ts';
import { manifestPath } from '../storage/run-paths.ts';
import { readManifest } from '../storage/manifest-file.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';
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
export async function planRun(given: PlanOptions): Promise<PlannedRun> {
  const folder = join(given.runsDir, given.runId);
  await checkReusedRuns(given.runsDir, given.runId, given.spec, await knownReuse(folder));
  const benchmarks = await loadBenchmarks(given);
  const { spec, sets } = await readInputs(given, benchmarks);
  const options = { ...given, spec };
  checkTier(options, benchmarks);
  const planned = (await newRun(folder, options, benchmarks)) ?? (await extendRun(folder, options, benchmarks));
  const ledger = await openPlanned(folder, planned.manifest);
  await sets.keep(ledger);
  return { folder, ledger, ...planned };
}

/**
 * Undefined if the run exists, even if another process just created it. Throws InputError if the folder is not a run.
 */
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

/** Runs that the run has taken answers from may be gone: what it took is its own. */
const knownReuse = async (folder: string): Promise<ReadonlySet<string>> =>
  new Set(existsSync(manifestPath(folder)) ? (await readManifest(folder)).spec.reuse : []);

/** A run's folder is created complete with its manifest. */
function isRun(folder: string): boolean {
  if (!existsSync(folder)) return false;
  if (existsSync(manifestPath(folder))) return true;
  // Throws where the folder may not be read, which looks like a missing manifest.
  accessSync(folder, constants.R_OK | constants.X_OK);
  throw new InputError('exists but has no manifest.json: restore it from a backup, or use another name (--run ID)', {
    file: folder,
  });
}

async function createRun(
  folder: string,
  given: PlanOptions,
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<Manifest> {
  const spec = withExtraction(given.spec, null);
  const options = { ...given, spec };
  const leftOut = await leftOutOf(spec, tasksOf(benchmarks), undecided, timesFor(options));
  const revision = planRevision(spec, tasksOf(benchmarks), [], leftOut);
  if (!revision) throw new InputError(nothingToDo(spec, leftOut));
  const files = namedFiles(spec, options.folder);
  const recordings = await freshRecordings(folder, {}, files);
  return runCatalog(options.runsDir).create(options.runId, async (inputs) => {
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
      replays: withSources(folder, withFresh({}, recordings), files),
      sandbox: { ...options.sandbox },
      parts: [],
    };
  });
}

const nothingToDo = (spec: Spec, leftOut: LeftOut): string =>
  ['the spec has nothing to do: no study has both tasks and models', ...leftOutLines(spec, leftOut)].join('\n');
