/** Pages of PartialOrderEval: prompt posets are made on pages that are theirs, or found; then every model is asked all of them. */
import type { PosetPage, SpecificityPage } from '../../schemas/steps.ts';
import type { OpenPage } from '../page-steps.ts';
import { labelRuns } from './labels.ts';
import { maximalOf, setOf } from './make-set.ts';
import { rolesOf, type SpecificityStudy } from './settings.ts';

export const specificityPageSteps = {
  openSpecificityPage: async (_study: SpecificityStudy, page: OpenPage): Promise<SpecificityPage> => ({
    sealed: page.sealed,
    cells: page.sealed ? [] : await page.promptedCells(),
  }),
  openPosetPage,
  unsummarized,
  keepPosets,
};

async function openPosetPage({ settings }: SpecificityStudy, page: OpenPage): Promise<PosetPage> {
  const { writer, checker } = rolesOf(settings);
  const { maxDraws, summaryAsks, labelAsks } = settings;
  const runs = labelRuns(settings).length;
  const maximal = page.sealed || (writer === null && checker === null) ? [] : await unmadeCells(page, 'maximal');
  const common = { written: writer !== null, checked: checker !== null, summaryAsks, labelRuns: runs, labelAsks };
  return { sealed: page.sealed, maximal, maxDraws: writer === null ? 1 : maxDraws, ...common };
}

/** Cells of an augmentation whose tasks have no set yet, here or from an earlier run. */
async function unmadeCells(page: OpenPage, augmentation: 'maximal' | 'summary'): Promise<number[]> {
  const unmade = new Set<string>();
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const found = await page.variantsOf(page.task(taskId), () => ({ open: ['maximal'], round: 0 }));
    if ('open' in found) unmade.add(taskId);
  }
  return page.cells.flatMap(({ taskId, variant }, index) => (unmade.has(taskId) && variant.startsWith(augmentation) ? [index] : []));
}

/** Summaries that are to be asked for: their task has a maximal prompt, and no set yet. */
function unsummarized({ settings }: SpecificityStudy, page: OpenPage): Promise<readonly number[]> {
  if (rolesOf(settings).summarizer === null) return Promise.resolve([]);
  const cells = page.cells.flatMap(({ taskId, variant }, index) => {
    const task = page.task(taskId);
    if (!variant.startsWith('summary') || page.hasVariants(task)) return [];
    return maximalOf(settings, task, page.state(index).sibling('maximal')).text === null ? [] : [index];
  });
  return Promise.resolve(cells);
}

/** Gives back the cells of summaries that exist, to be labelled. */
async function keepPosets({ settings }: SpecificityStudy, page: OpenPage): Promise<readonly number[]> {
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const task = page.task(taskId);
    const first = page.state(page.cells.findIndex((cell) => cell.taskId === taskId));
    await page.variantsOf(task, () => setOf(settings, task, (variant) => first.sibling(variant)));
  }
  return page.cells.flatMap((_, index) => {
    const { cell, variant } = page.state(index);
    return cell.variant.startsWith('summary') && variant?.prompt != null ? [index] : [];
  });
}
