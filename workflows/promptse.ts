/** PromptSE, algorithm 1, phase 1: every prompt of the page is sampled m times, and every sample is tested. */
import type { StepItem } from '../schemas/steps.ts';
import type { promptsePageSteps } from '../studies/promptse/page.ts';
import { pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const promptse = ofPage(async (page) => {
  const { sealed, cells, samples } = await pageSteps<typeof promptsePageSteps>().openPromptsePage(page);
  if (sealed) return;
  const prompts = cells.map((cell): StepItem => [cell, 1]);
  await generateAndExecute({ ...page, step: 'generate', ask: 0, samples, items: prompts });
  await seal().sealPage(page);
});
