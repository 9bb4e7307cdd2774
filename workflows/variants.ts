/** The prompt variants of one task, worded by a model: drawn until each keeps to the rules, or has been drawn often enough. */
import type { PageRef, StepItem } from '../schemas/steps.ts';
import { io, llm, seal } from './activities.ts';

export async function variants(page: PageRef): Promise<void> {
  for (;;) {
    const { open, ask } = await io().settleVariants(page);
    if (open.length === 0) break;
    await llm().generate({ ...page, step: 'rewrite', ask, items: open.map((cell): StepItem => [cell, 1]) });
  }
  await seal().sealPage(page);
}
