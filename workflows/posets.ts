/**
 * PartialOrderEval, section 3.3: write a maximal prompt per task until it follows the rules and is solved; derive its
 * summaries, samples and masked prompts; then label the themes of each summary (section 5).
 */
import type { PageRef, StepItem } from '../schemas/steps.ts';
import type { PosetPage, specificityPageSteps } from '../studies/specificity/page.ts';
import { llm, pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

const steps = () => pageSteps<typeof specificityPageSteps>();

export const posets = ofPage(async (page) => {
  const plan = await steps().openPosetPage(page);
  if (plan.sealed) return;
  await writeMaximal(page, plan);
  await summarize(page, plan);
  await label(page, plan, await steps().keepPosets(page));
  await seal().sealPage(page);
});

/** Drafts count from 1; a draft's number is the loop of its cells. */
async function writeMaximal(page: PageRef, { maximal, written, checked, maxDraws }: PosetPage): Promise<void> {
  let open = maximal;
  for (let draft = 1; draft <= maxDraws && open.length > 0; draft += 1) {
    const valid = written
      ? (await llm().generate({ ...page, step: 'write', ask: 0, items: at(open, draft) })).usable
      : open;
    const solved = checked ? await solve(page, valid, draft) : valid;
    open = open.filter((cell) => !solved.includes(cell));
  }
}

/** The cells whose task the check model solves from the draft. */
async function solve(page: PageRef, cells: readonly number[], draft: number): Promise<readonly number[]> {
  return (await generateAndExecute({ ...page, step: 'generate', ask: 0, items: at(cells, draft) })).executed.passed;
}

/** Asks again while a summary is longer than its limit. */
async function summarize(page: PageRef, { summaryAsks }: PosetPage): Promise<void> {
  let open = await steps().unsummarized(page);
  for (let ask = 0; ask < summaryAsks && open.length > 0; ask += 1)
    open = (await llm().generate({ ...page, step: 'summarize', ask, items: at(open, 1) })).unusable;
}

/** Every labelling run sees all summaries; asks again if an answer names anything that is not a theme. */
async function label(page: PageRef, { labelRuns, labelAsks }: PosetPage, summaries: readonly number[]): Promise<void> {
  for (let run = 1; run <= labelRuns; run += 1) {
    let open = summaries;
    for (let ask = 0; ask < labelAsks && open.length > 0; ask += 1)
      open = (await llm().generate({ ...page, step: 'label', ask, items: at(open, run) })).unusable;
  }
}

const at = (cells: readonly number[], loop: number): StepItem[] => cells.map((cell) => [cell, loop]);
