/** The prompt variants of one task, written by a model: drawn until each follows the rules or has used up its draws. */
import type { StepItem } from '../schemas/steps.ts';
import { io, llm, seal } from './activities.ts';
import { ofPage } from './page-end.ts';

export const variants = ofPage(async (page) => {
  for (;;) {
    const { open, ask } = await io().settleVariants(page);
    if (open.length === 0) break;
    await llm().generate({ ...page, step: 'rewrite', ask, items: open.map((cell): StepItem => [cell, 1]) });
  }
  await seal().sealPage(page);
});
