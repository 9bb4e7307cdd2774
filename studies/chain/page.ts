/** Opens pages of translation chains: a chain starts where the reference passes its own tests. */
import type { ChainPage } from '../../schemas/steps.ts';
import type { OpenPage } from '../page-steps.ts';
import type { ChainStudy } from './steps.ts';

export const chainPageSteps = {
  openChainPage: ({ settings: { through, scoring } }: ChainStudy, page: OpenPage): Promise<ChainPage> =>
    Promise.resolve({
      sealed: page.sealed,
      started: page.cells.flatMap(({ taskId }, index) => (page.referencePasses(page.task(taskId)) ? [index] : [])),
      steps: through.length,
      endsAtFailure: scoring === 'squares',
    }),
};
