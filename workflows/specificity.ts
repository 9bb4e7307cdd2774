/** PartialOrderEval, section 4: every prompt of the poset is answered once, and every answer is tested. */
import type { PageRef, StepItem } from '../schemas/steps.ts';
import { io, llm, sandbox, seal } from './activities.ts';

export async function specificity(page: PageRef): Promise<void> {
  const { sealed, cells } = await io().openSpecificityPage(page);
  if (sealed) return;
  const { usable } = await llm().generate({ ...page, step: 'generate', ask: 0, items: cells.map((cell): StepItem => [cell, 1]) });
  await sandbox().execute({ ...page, items: usable.map((cell): StepItem => [cell, 1]) });
  await seal().sealPage(page);
}
