/** Pages of PartialOrderEval: prompt posets are made on pages of their own, or found; then every model is asked all of them. */
import type { PageRef, PosetPage, SpecificityPage } from '../schemas/steps.ts';
import { labelRuns } from '../studies/specificity/labels.ts';
import { maximalOf, setOf } from '../studies/specificity/make-set.ts';
import { rolesOf, type SpecificitySettings } from '../studies/specificity/settings.ts';
import { openCell, type PageCell } from './cell-states.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunPage, Runs } from './runs.ts';
import { promptedCells, type VariantCache, variantsOf } from './variant-sets.ts';

export interface PosetPagesDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly cache: VariantCache;
}

export function createPosetPages({ runs, heartbeat, cache }: PosetPagesDependencies) {
  return {
    openSpecificityPage: (ref: PageRef): Promise<SpecificityPage> =>
      heartbeat(async () => {
        const page = await runs.page(ref);
        settingsOf(page);
        if (page.run.ledger.pageState(ref.page) === 'sealed') return { sealed: true, cells: [] };
        return { sealed: false, cells: await promptedCells(page, cache) };
      }),
    openPosetPage: (ref: PageRef): Promise<PosetPage> => heartbeat(async () => posetPage(await runs.page(ref), cache)),
    unsummarized: (ref: PageRef): Promise<readonly number[]> => heartbeat(async () => unsummarized(await runs.page(ref))),
    keepPosets: (ref: PageRef): Promise<readonly number[]> => heartbeat(async () => keepPosets(await runs.page(ref), cache)),
  };
}

function settingsOf({ page, study }: RunPage): SpecificitySettings {
  if (study.kind !== 'specificity') throw new Error(`page ${page} belongs to a study that is no specificity`);
  return study.settings;
}

async function posetPage(page: RunPage, cache: VariantCache): Promise<PosetPage> {
  const settings = settingsOf(page);
  const sealed = page.run.ledger.pageState(page.page) === 'sealed';
  const { writer, checker } = rolesOf(settings);
  const { maxDraws, summaryAsks, labelAsks } = settings;
  const runs = labelRuns(settings).length;
  const maximal = sealed || (writer === null && checker === null) ? [] : await unmadeCells(page, cache, 'maximal');
  const common = { written: writer !== null, checked: checker !== null, summaryAsks, labelRuns: runs, labelAsks };
  return { sealed, maximal, maxDraws: writer === null ? 1 : maxDraws, ...common };
}

/** Cells of an augmentation whose tasks have no set yet, here or from an earlier run. */
async function unmadeCells(page: RunPage, cache: VariantCache, augmentation: 'maximal' | 'summary'): Promise<number[]> {
  const unmade = new Set<string>();
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const found = await variantsOf(page, page.task(taskId), cache, () => ({ open: ['maximal'], round: 0 }));
    if ('open' in found) unmade.add(taskId);
  }
  return page.cells.flatMap(({ taskId, variant }, index) => (unmade.has(taskId) && variant.startsWith(augmentation) ? [index] : []));
}

/** Summaries that are to be asked for: their task has a maximal prompt, and no set yet. */
function unsummarized(page: RunPage): number[] {
  const settings = settingsOf(page);
  if (rolesOf(settings).summarizer === null) return [];
  return page.cells.flatMap(({ taskId, variant }, index) => {
    const task = page.task(taskId);
    if (!variant.startsWith('summary') || page.run.variants.ofTask(page.study, task) !== undefined) return [];
    return maximalOf(settings, task, openCell(page, index).sibling('maximal')).text === null ? [] : [index];
  });
}

/** Gives back the cells of summaries that exist, to be labelled. */
async function keepPosets(page: RunPage, cache: VariantCache): Promise<number[]> {
  const settings = settingsOf(page);
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const task = page.task(taskId);
    const first = openCell(
      page,
      page.cells.findIndex((cell) => cell.taskId === taskId),
    );
    await variantsOf(page, task, cache, () => setOf(settings, task, (variant) => first.sibling(variant)));
  }
  const cells = page.cells.map((_, index): PageCell => openCell(page, index));
  return cells.flatMap(({ cell, variant, index }) => (cell.variant.startsWith('summary') && variant?.prompt != null ? [index] : []));
}
