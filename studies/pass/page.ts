/** Opens pages of plain pass@k. */
import type { OpenPage } from '../page-steps.ts';
import type { PassStudy } from './settings.ts';

/** What the workflow needs to know about its page. */
export interface PassPage {
  readonly sealed: boolean;
  readonly cells: number;
  /** n. */
  readonly samples: number;
}

export const passPageSteps = {
  openPassPage: ({ settings: { samples } }: PassStudy, { sealed, cells }: OpenPage): Promise<PassPage> =>
    Promise.resolve({ sealed, cells: cells.length, samples }),
};
