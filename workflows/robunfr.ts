/**
 * RobuNFR, sections 3.3 to 3.5: code is generated plainly or with a requirement, or the plain code is improved; every
 * program is tested and measured.
 */
import type { StepItem } from '../schemas/steps.ts';
import type { robunfrPageSteps } from '../studies/robunfr/page.ts';
import { pageSteps, sandbox, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const robunfr = ofPage(async (page) => {
  const { sealed, cells, enhanced } = await pageSteps<typeof robunfrPageSteps>().openRobunfrPage(page);
  if (sealed) return;
  const all = Array.from({ length: cells }, (_, cell) => cell);
  const { usable } = await generateAndExecute({ ...page, step: 'generate', ask: 0, items: inLoop(all, 1) });
  // A reply without code has nothing to improve.
  const plain = enhanced.filter((cell) => usable.includes(cell));
  if (plain.length > 0) await generateAndExecute({ ...page, step: 'improve', ask: 0, items: inLoop(plain, 2) });
  await sandbox().measure(page);
  await sandbox().time(page);
  await seal().sealPage(page);
});

const inLoop = (cells: readonly number[], loop: number): StepItem[] => cells.map((cell) => [cell, loop]);
