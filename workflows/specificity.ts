/** PartialOrderEval, section 4: every prompt of the poset is answered once, and every answer is tested. */
import type { StepItem } from '../schemas/steps.ts';
import type { specificityPageSteps } from '../studies/specificity/page.ts';
import { pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const specificity = ofPage(async (page) => {
  const { sealed, cells } = await pageSteps<typeof specificityPageSteps>().openSpecificityPage(page);
  if (sealed) return;
  await generateAndExecute({ ...page, step: 'generate', ask: 0, items: cells.map((cell): StepItem => [cell, 1]) });
  await seal().sealPage(page);
});
