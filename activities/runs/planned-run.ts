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
  const pages = pagesOf(await revisionsOf(home, manifest));
  await ledger.addPages(
    pages.map(({ page: { page, study, model, cells }, revision }) => ({
      page,
      study,
      model,
      cells: cells.length,
      revision,
    })),
  );
  await ledger.setBudget({ usd: manifest.spec.budget?.usd ?? null, tokens: manifest.spec.budget?.tokens ?? null });
  return ledger;
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
