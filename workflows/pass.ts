/** Chen et al. (2021), section 2.1: n answers are drawn for every task of the page, and every answer is tested. */
import type { StepItem } from '../schemas/steps.ts';
import type { passPageSteps } from '../studies/pass/page.ts';
import { pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const pass = ofPage(async (page) => {
  const { sealed, cells, samples } = await pageSteps<typeof passPageSteps>().openPassPage(page);
  if (sealed) return;
  const items = Array.from({ length: cells }, (_, cell): StepItem => [cell, 1]);
  await generateAndExecute({ ...page, step: 'generate', ask: 0, samples, items });
  await seal().sealPage(page);
});
