/** Reads the plan of a run: revisions, tasks, and the ledger with its pages. */
import { isDeepStrictEqual } from 'node:util';
import { CorruptionError } from '../../domain/errors.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import { mixedPage, pagesOf } from '../../studies/plan.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { OtherPlanError } from '../storage/ledger/plan.ts';
import { readInput } from '../storage/blobs/run-blobs.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import { withSharedCells } from './shared-cells.ts';

/**
 * Opens the run's ledger and adds every page of its plan; adding a page again changes nothing. Rejects with
 * `CorruptionError` if the ledger has pages of another plan.
 */
export async function openPlanned(home: RunHome, manifest: Manifest): Promise<Ledger> {
  const ledger = await home.openLedger(manifest);
  try {
    await bringUpToDate(home, ledger, manifest);
    return ledger;
  } catch (error) {
    await ledger.close();
    throw error;
  }
}

/**
 * Makes the ledger have the plan and the budget of the manifest, also of one that another process writes meanwhile:
 * whoever writes to the ledger last has read the manifest after that.
 */
async function bringUpToDate(home: RunHome, ledger: Ledger, manifest: Manifest): Promise<void> {
  await addPlan(home, ledger, manifest);
  await setPlannedBudget(ledger, manifest);
  const now = await home.manifest();
  const isAsBefore =
    now.plan.length === manifest.plan.length && isDeepStrictEqual(now.spec.budget, manifest.spec.budget);
  if (!isAsBefore) await bringUpToDate(home, ledger, now);
}

export const setPlannedBudget = (ledger: Ledger, { spec: { budget } }: Manifest): Promise<void> =>
  ledger.setBudget({ usd: budget?.usd ?? null, tokens: budget?.tokens ?? null });

/**
 * Adds the pages of a manifest's plan. Another process may have extended the run since that was read, so that the
 * ledger is ahead of it: then the plan of the present manifest counts. Returns the revisions added.
 */
async function addPlan(home: RunHome, ledger: Ledger, manifest: Manifest): Promise<PlanRevision[]> {
  const revisions = await revisionsOf(home, manifest);
  try {
    await addPlanned(ledger, revisions);
    return revisions;
  } catch (error) {
    if (!(error instanceof OtherPlanError)) throw error;
    const now = await home.manifest();
    if (now.plan.length > manifest.plan.length) return addPlan(home, ledger, now);
    throw new CorruptionError(
      `${home.place}: the ledger`,
      `does not belong to the plan: ${error.message}`,
      elsewhere(manifest),
    );
  }
}

const addPlanned = (ledger: Ledger, revisions: readonly PlanRevision[]): Promise<void> =>
  ledger.addPages(
    pagesOf(revisions).map(({ page: { page, study, model, cells }, revision }) => ({
      page,
      study,
      model,
      cells: cells.length,
      revision,
    })),
  );

/**
 * Whether the run was extended, and pages of its plan are open. A process that extends it may not have added them to
 * the ledger yet.
 */
export async function hasGrownPages(home: RunHome, ledger: Ledger): Promise<boolean> {
  const manifest = await home.manifest();
  if (manifest.plan.length < 2) return false;
  await addPlan(home, ledger, manifest);
  return (await ledger.openLanes()).length > 0;
}

/**
 * Rejects with `CorruptionError` for two plans that cannot both hold. Until 28 November 2026 two commands that extended
 * a run at the same moment could leave it so.
 */
export async function revisionsOf(
  { blobs, place }: Pick<RunHome, 'blobs' | 'place'>,
  manifest: Manifest,
): Promise<PlanRevision[]> {
  const revisions = await Promise.all(
    manifest.plan.map(async (plan) => withSharedCells(JSON.parse(await readInput(blobs, plan)) as PlanRevision)),
  );
  const mixed = mixedPage(revisions);
  if (mixed === null) return revisions;
  const rule = `two commands extended the run at the same moment, and their plans differ in the cells of page ${mixed}`;
  throw new CorruptionError(place, rule, elsewhere(manifest));
}

/** What to do with a run that cannot go on, but has answers that were paid for. */
const elsewhere = ({ runId }: Manifest): string =>
  'the run can be read, but cannot go on: start the spec as another run (--run ID), with ' +
  `\`reuse: [${runId}]\` in it, which takes over every answer that was paid for`;

/** The tasks as stored in the run, by benchmark. */
export async function plannedTasks({ blobs }: RunHome, manifest: Manifest): Promise<Map<string, readonly Task[]>> {
  const read = Object.entries(manifest.benchmarks).map(async ([name, input]) => {
    const lines = (await readInput(blobs, input)).split('\n').filter(Boolean);
    return [name, lines.map((line) => JSON.parse(line) as Task)] as const;
  });
  return new Map(await Promise.all(read));
}
