/**
 * EVALOOP's translation chain, section 5: code is translated from language to language and tested in each, until it
 * fails or the chain ends.
 */
import type { StepItem } from '../schemas/steps.ts';
import type { chainPageSteps } from '../studies/chain/page.ts';
import { pageSteps, seal } from './activities.ts';
import { ofPage } from './page-end.ts';
import { generateAndExecute } from './programs.ts';

export const chain = ofPage(async (page) => {
  const { sealed, started, steps, endsAtFailure } = await pageSteps<typeof chainPageSteps>().openChainPage(page);
  if (sealed) return;
  let alive = started;
  for (let step = 1; step <= steps && alive.length > 0; step += 1) {
    const { usable, executed } = await generateAndExecute({
      ...page,
      step: 'translate',
      ask: 0,
      items: atStep(alive, step),
    });
    alive = endsAtFailure ? executed.passed : usable;
  }
  await seal().sealPage(page);
});

const atStep = (cells: readonly number[], step: number): StepItem[] => cells.map((cell) => [cell, step]);
