/** Opens pages of translation chains. A chain is started only if the task's reference passes its own tests. */
import type { OpenPage } from '../page-steps.ts';
import type { ChainStudy } from './steps.ts';

/** What the translation chain's workflow needs to know about its page. */
export interface ChainPage {
  readonly sealed: boolean;
  /** Indices of the cells whose reference passes its own tests. */
  readonly started: readonly number[];
  readonly steps: number;
  /** Whether only a translation that passed is translated further. */
  readonly endsAtFailure: boolean;
}

export const chainPageSteps = {
  openChainPage: async ({ settings: { through, scoring } }: ChainStudy, page: OpenPage): Promise<ChainPage> => {
    const passing = await page.passingTasks();
    return {
      sealed: page.sealed,
      started: page.cells.flatMap(({ taskId }, index) => (passing.has(taskId) ? [index] : [])),
      steps: through.length,
      endsAtFailure: scoring === 'squares',
    };
  },
};
