/**
 * Pages of PartialOrderEval: prompt posets are generated on separate pages, or reused;
 * then every model is asked all prompts.
 */
import type { OpenPage } from '../page-steps.ts';
import { labelRuns } from './labels.ts';
import { maximalOf, setOf } from './make-set.ts';
import { rolesOf, type SpecificityStudy } from './settings.ts';

/** What PartialOrderEval's workflow needs to know about its page. */
export interface SpecificityPage {
  readonly sealed: boolean;
  /** Indices of the cells whose prompt exists. */
  readonly cells: readonly number[];
}

/** How to generate the prompt posets of a page. */
export interface PosetPage {
  readonly sealed: boolean;
  /** Indices of the cells of maximal prompts that do not exist yet. */
  readonly maximal: readonly number[];
  /** Whether a model writes them; if not, rules do. */
  readonly written: boolean;
  /** Maximum number of drafts per maximal prompt. */
  readonly maxDraws: number;
  /** Whether a model must solve the task from its maximal prompt. */
  readonly checked: boolean;
  readonly summaryAsks: number;
  /** Number of labelling runs: labellers times passes; 0 without a labeller. */
  readonly labelRuns: number;
  readonly labelAsks: number;
}

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

/** Cells of an augmentation whose tasks have no prompt set yet, in this run or an earlier one. */
async function unmadeCells(page: OpenPage, augmentation: 'maximal' | 'summary'): Promise<number[]> {
  const unmade = new Set<string>();
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const found = await page.variantsOf(page.task(taskId), () => ({ open: ['maximal'], round: 0 }));
    if ('open' in found) unmade.add(taskId);
  }
  return page.cells.flatMap(({ taskId, variant }, index) =>
    unmade.has(taskId) && variant.startsWith(augmentation) ? [index] : [],
  );
}

/** Cells of summaries to request: their task has a maximal prompt but no prompt set yet. */
async function unsummarized({ settings }: SpecificityStudy, page: OpenPage): Promise<readonly number[]> {
  if (rolesOf(settings).summarizer === null) return [];
  const states = await page.states();
  const cells: number[] = [];
  for (const [index, { cell, task, sibling }] of states.entries()) {
    if (!cell.variant.startsWith('summary') || (await page.hasVariants(task))) continue;
    if (maximalOf(settings, task, sibling('maximal')).text !== null) cells.push(index);
  }
  return cells;
}

/** Stores the prompt sets and returns the cells of existing summaries, for labelling. */
async function keepPosets({ settings }: SpecificityStudy, page: OpenPage): Promise<readonly number[]> {
  for (const [first] of Map.groupBy(await page.states(), ({ cell }) => cell.taskId).values()) {
    if (first === undefined) continue;
    await page.variantsOf(first.task, () => setOf(settings, first.task, (variant) => first.sibling(variant)));
  }
  return (await page.states()).flatMap(({ cell, variant }, index) =>
    cell.variant.startsWith('summary') && variant?.prompt != null ? [index] : [],
  );
}
