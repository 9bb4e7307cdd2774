/** PromptSE's results: elasticity, its area, and calibration. */
import { firstPasses } from '../../../analysis/card/first-passes.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { promptseNumbers } from './answer-numbers.ts';
import { elasticityCard } from './card.ts';
import { methods } from './elasticity/elasticity-rows.ts';
import { calibrationOfRun, hasEarlierFloors, promptseTables } from './tables.ts';
import { byDimension, functionOnly } from '../../../analysis/gate/conditions.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { promptseReport } from '../report/index.ts';
import { elasticitySource } from './gate.ts';
import { promptseMultiverse } from './multiverse.ts';

export const promptseResults: StudyResults = {
  derives: ['elasticity', 'auc_e', 'calibration', 'calibration_bins'],
  derive: async (database, manifest) => ({
    ...(await promptseTables(database, manifest)),
    ...(await calibrationOfRun(database, manifest)),
  }),
  report: promptseReport,
  gate: [firstAnswersSource, elasticitySource],
  conditions: () => [functionOnly('pass_at_1'), byDimension(['auc_e_normalized', 'auc_e_excess'], methods)],
  neededSettings: promptseNumbers,
  comparedPrompts: 'all',
  card: [firstPasses, elasticityCard],
  // Older programs compared elasticities without what the answers that could not be judged may be, and left no mark.
  mayHaveEarlierCards: async (database, manifest) =>
    (await hasEarlierFloors(database, manifest)) ||
    (
      await records(
        database,
        `SELECT 1 AS one FROM prompt_scores WHERE run = ${quoteText(manifest.runId)} AND n_excluded > 0 LIMIT 1`,
      )
    ).length > 0,
  multiverse: promptseMultiverse,
};
