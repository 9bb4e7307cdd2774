/**
 * The program's workflows with one change of order: a page is sealed before it is judged.
 * Replay of a stored history must refuse it.
 */
import type { PageRef } from '../../schemas/steps.ts';
import type { evaloopPageSteps } from '../../studies/evaloop/page.ts';
import { llm, pageSteps, sandbox, seal } from '../../workflows/activities.ts';

export { chain } from '../../workflows/chain.ts';
export { lane } from '../../workflows/lane.ts';
export { lanes } from '../../workflows/lanes.ts';
export { references } from '../../workflows/references.ts';
export { promptse } from '../../workflows/promptse.ts';
export { robunfr } from '../../workflows/robunfr.ts';
export { variants } from '../../workflows/variants.ts';
export { sweep } from '../../workflows/sweep.ts';

export async function evaloop(page: PageRef): Promise<void> {
  const { cells } = await pageSteps<typeof evaloopPageSteps>().openEvaloopPage(page);
  const items = cells.map((cell) => [cell, 1] as const);
  await llm().generate({ ...page, step: 'generate', ask: 0, items });
  await seal().sealPage(page);
  await sandbox().execute({ ...page, items });
}
