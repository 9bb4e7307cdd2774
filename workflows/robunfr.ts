/** RobuNFR, sections 3.3 to 3.5: code is generated plainly or with a requirement, or the plain code is improved; every program is tested and measured. */
import type { PageRef, StepItem } from '../schemas/steps.ts';
import { io, llm, sandbox, seal } from './activities.ts';

export async function robunfr(page: PageRef): Promise<void> {
  const { sealed, cells, enhanced } = await io().openRobunfrPage(page);
  if (sealed) return;
  const all = Array.from({ length: cells }, (_, cell) => cell);
  const coded = await llm().generate({ ...page, step: 'generate', ask: 0, items: inLoop(all, 1) });
  await sandbox().execute({ ...page, items: inLoop(coded.usable, 1) });
  const plain = enhanced.filter((cell) => coded.usable.includes(cell));
  if (plain.length > 0) await improve(page, plain);
  await sandbox().measure(page);
  await sandbox().time(page);
  await seal().sealPage(page);
}

/** Plain code that was found; a reply without code has nothing to improve. */
async function improve(page: PageRef, plain: readonly number[]): Promise<void> {
  const improved = await llm().generate({ ...page, step: 'improve', ask: 0, items: inLoop(plain, 2) });
  await sandbox().execute({ ...page, step: 'improve', items: inLoop(improved.usable, 2) });
}

const inLoop = (cells: readonly number[], loop: number): StepItem[] => cells.map((cell) => [cell, loop]);
