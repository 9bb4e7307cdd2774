/** Opens pages of RobuNFR. */
import type { RobunfrPage } from '../../schemas/steps.ts';
import type { OpenPage } from '../page-steps.ts';
import type { RobunfrStudy } from './steps.ts';

export const robunfrPageSteps = {
  openRobunfrPage: (_study: RobunfrStudy, { sealed, cells }: OpenPage): Promise<RobunfrPage> => {
    const enhanced = cells.flatMap(({ setting }, index) => (setting === 'nfr-enhanced' ? [index] : []));
    return Promise.resolve({ sealed, cells: cells.length, enhanced });
  },
};
