/** PromptSE's results: elasticity, its area, and calibration. */
import { calibrationOfRun, promptseTables } from '../../../analysis/promptse-tables.ts';
import type { StudyResults } from '../../study-results.ts';

export const promptseResults: StudyResults = {
  derive: async (database, manifest) => ({
    ...(await promptseTables(database, manifest)),
    ...(await calibrationOfRun(database, manifest)),
  }),
};
