/** Opens pages of RobuNFR. */
import type { OpenPage } from '../page-steps.ts';
import type { RobunfrStudy } from './steps.ts';

/** What RobuNFR's workflow needs to know about its page. */
export interface RobunfrPage {
  readonly sealed: boolean;
  readonly cells: number;
  /** Indices of the cells whose plain code is then improved (NFR-Enhanced). */
  readonly enhanced: readonly number[];
}

export const robunfrPageSteps = {
  openRobunfrPage: (_study: RobunfrStudy, { sealed, cells }: OpenPage): Promise<RobunfrPage> => {
    const enhanced = cells.flatMap(({ setting }, index) => (setting === 'nfr-enhanced' ? [index] : []));
    return Promise.resolve({ sealed, cells: cells.length, enhanced });
  },
};
