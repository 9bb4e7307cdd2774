/** The existing run that a spec would continue, if there is one. */
import type { LoadedBenchmark } from '../benchmarks/load.ts';
import type { Spec } from '../../schemas/spec.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { Decided } from '../runs/left-out.ts';
import { extensionOf } from '../runs/extend-run.ts';
import type { SpecFile } from '../runs/plan-inputs.ts';
import { overrunModels } from '../calls/overruns.ts';
import { thinkingModels } from '../calls/reasoners.ts';
import { runCatalog } from '../storage/catalog/open-catalog.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';
import type { EarlierRun } from './page-groups.ts';

/** Null if there is no run of that id. Throws InputError if the spec or a recording changes more than `run` allows. */
export async function findEarlierRun(
  { runsDir, runId, ...file }: Pick<SpecFile, 'spec' | 'folder'> & { readonly runsDir: string; readonly runId: string },
  benchmarks: ReadonlyMap<string, LoadedBenchmark>,
): Promise<EarlierRun | null> {
  const catalog = runCatalog(runsDir);
  if (!(await catalog.has(runId))) return null;
  const home = catalog.home(runId);
  const { revisions, decided, deeper } = await extensionOf(home, { ...file, runId }, benchmarks);
  const ledger = await home.openAnyLedger();
  try {
    const pages = pagesOf(revisions).map(({ page, revision }) => ({ ...page, cells: page.cells.length, revision }));
    // As in a resume: a crash may have come between writing the plan and adding its pages to the ledger.
    await ledger.addPages(pages);
    return await earlierRun(ledger, decided, file.spec, deeper);
  } finally {
    await ledger.close();
  }
}

/**
 * Reads the state of a run from its ledger, which must have the pages of these revisions.
 * @param deeper studies that will ask more of their planned cells
 */
export async function earlierRun(
  ledger: Ledger,
  { revisions, leftOut }: Decided,
  { models, studies }: Pick<Spec, 'models' | 'studies'>,
  deeper: ReadonlySet<string> = new Set(),
): Promise<EarlierRun> {
  const latencies = new Map<string, number | null>();
  const thoughts = new Map<string, number | null>();
  for (const { id } of models) {
    latencies.set(id, await ledger.medianLatencyMs(id));
    for (const { name } of studies) thoughts.set(thoughtsKey(name, id), await ledger.meanThoughts(name, id));
  }
  const thinking = await thinkingModels(ledger);
  const exceeding = new Set(await overrunModels(ledger, { models }, thinking));
  const pages = pagesOf(revisions).map(({ page }) => page);
  const states = await ledger.pageStates(pages.map(({ page }) => page));
  const { reportedUsd, estimatedUsd, tokens } = (await ledger.progress()).spend;
  return {
    revisions,
    leftOut,
    spent: { usd: reportedUsd + estimatedUsd, tokens },
    sealedPages: new Set(
      pages.flatMap(({ page, study }) => (states.get(page) === 'sealed' && !deeper.has(study) ? [page] : [])),
    ),
    answered: await ledger.answeredSteps(),
    medianLatencyMs: (model) => latencies.get(model) ?? null,
    thoughts: {
      mean: (study, model) => thoughts.get(thoughtsKey(study, model)) ?? null,
      thinks: (model) => thinking.has(model),
      exceeds: (model) => exceeding.has(model),
    },
  };
}

const thoughtsKey = (study: string, model: string): string => `${study}/${model}`;
