/** Opens pages of PromptSE: generates the variants of their tasks, or reuses those of another model or run. */
import type { OpenPage } from '../page-steps.ts';
import type { PromptseStudy } from './settings.ts';

/** What PromptSE's workflow needs to know about its page. */
export interface PromptsePage {
  readonly sealed: boolean;
  /** Indices of the cells whose prompt exists: the original, and variants that are not missing. */
  readonly cells: readonly number[];
  /** m. */
  readonly samples: number;
}

export const promptsePageSteps = {
  openPromptsePage: async ({ settings: { samples } }: PromptseStudy, page: OpenPage): Promise<PromptsePage> => ({
    sealed: page.sealed,
    cells: page.sealed ? [] : await page.promptedCells(),
    samples,
  }),
};
