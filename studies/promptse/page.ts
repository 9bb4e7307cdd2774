/** Opens pages of PromptSE: the variants of their tasks are made, or found where another model or run has made them. */
import type { PromptsePage } from '../../schemas/steps.ts';
import type { OpenPage } from '../page-steps.ts';
import type { PromptseStudy } from './study.ts';

export const promptsePageSteps = {
  openPromptsePage: async ({ settings: { samples } }: PromptseStudy, page: OpenPage): Promise<PromptsePage> => ({
    sealed: page.sealed,
    cells: page.sealed ? [] : await page.promptedCells(),
    samples,
  }),
};
