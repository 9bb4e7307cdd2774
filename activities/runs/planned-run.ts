/** Reads the plan of a run: revisions, tasks, and the ledger with its pages. */
import type { Manifest } from '../../schemas/manifest.ts';
import type { PlanRevision } from '../../schemas/plan.ts';
import type { Task } from '../../schemas/task.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import { readInput } from '../storage/blobs/run-blobs.ts';
import type { RunHome } from '../storage/home/run-home.ts';
import { withSharedCells } from './shared-cells.ts';

/** Opens the run's ledger and adds every page of its plan; adding a page again changes nothing. */
export async function openPlanned(home: RunHome, manifest: Manifest): Promise<Ledger> {
  const ledger = await home.openLedger(manifest);
  await addPlanned(ledger, await revisionsOf(home, manifest));
  await ledger.setBudget({ usd: manifest.spec.budget?.usd ?? null, tokens: manifest.spec.budget?.tokens ?? null });
  return ledger;
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
  const revisions = await revisionsOf(home, await home.manifest());
  if (revisions.length < 2) return false;
  await addPlanned(ledger, revisions);
  return (await ledger.openLanes()).length > 0;
}

export const revisionsOf = ({ blobs }: RunHome, manifest: Manifest): Promise<PlanRevision[]> =>
  Promise.all(
    manifest.plan.map(async (plan) => withSharedCells(JSON.parse(await readInput(blobs, plan)) as PlanRevision)),
  );

/** The tasks as stored in the run, by benchmark. */
export async function plannedTasks({ blobs }: RunHome, manifest: Manifest): Promise<Map<string, readonly Task[]>> {
  const read = Object.entries(manifest.benchmarks).map(async ([name, input]) => {
    const lines = (await readInput(blobs, input)).split('\n').filter(Boolean);
    return [name, lines.map((line) => JSON.parse(line) as Task)] as const;
  });
  return new Map(await Promise.all(read));
}
