/** The run folder that a spec would go on with, if there is one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import type { Spec } from '../../schemas/spec.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { Decided } from '../left-out.ts';
import { extensionOf } from '../extend-run.ts';
import type { SpecFile } from '../plan-inputs.ts';
import type { Ledger } from '../storage/ledger.ts';
import { openLedger } from '../storage/sqlite-ledger.ts';
import type { EarlierRun } from './page-groups.ts';

/** Null where there is no run of that id. Throws InputError where the spec or a recording is no addition to it: `run` would refuse it too. */
export async function findEarlierRun(
  { runsDir, runId, ...file }: Pick<SpecFile, 'spec' | 'folder'> & { readonly runsDir: string; readonly runId: string },
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<EarlierRun | null> {
  const folder = join(runsDir, runId);
  if (!existsSync(join(folder, 'manifest.json'))) return null;
  const { revisions, decided, deeper } = await extensionOf(folder, { ...file, runId }, benchmarks);
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  try {
    const pages = pagesOf(revisions).map(({ page, revision }) => ({ ...page, cells: page.cells.length, revision }));
    // As a resume does: a crash may have come between the plan and its entry in the ledger.
    ledger.addPages(pages);
    return earlierRun(ledger, decided, file.spec, deeper);
  } finally {
    ledger.close();
  }
}

/** What its ledger, which has the pages of these revisions, says of it now. @param deeper studies that will ask more of what is planned */
export function earlierRun(
  ledger: Ledger,
  { revisions, leftOut }: Decided,
  { models }: Pick<Spec, 'models'>,
  deeper: ReadonlySet<string> = new Set(),
): EarlierRun {
  const latencies = new Map(models.map(({ id }) => [id, ledger.medianLatencyMs(id)]));
  const pages = pagesOf(revisions).map(({ page }) => page);
  return {
    revisions,
    leftOut,
    sealedPages: new Set(pages.flatMap(({ page, study }) => (ledger.pageState(page) === 'sealed' && !deeper.has(study) ? [page] : []))),
    answered: ledger.answeredSteps(),
    medianLatencyMs: (model) => latencies.get(model) ?? null,
  };
}
