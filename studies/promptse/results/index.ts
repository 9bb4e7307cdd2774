/** PromptSE's results: elasticity, its area, and calibration. */
import { firstPasses } from '../../../analysis/card/first-passes.ts';
import { promptseNumbers } from './answer-numbers.ts';
import { elasticityCard } from './card.ts';
import { calibrationOfRun, hasEarlierFloors, promptseTables } from './tables.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { promptseReport } from '../report/index.ts';
import { elasticitySource } from './gate.ts';
import { promptseMultiverse } from './multiverse.ts';

export const promptseResults: StudyResults = {
  derive: async (database, manifest) => ({
    ...(await promptseTables(database, manifest)),
    ...(await calibrationOfRun(database, manifest)),
  }),
  report: promptseReport,
  gate: [firstAnswersSource, elasticitySource],
  neededSettings: promptseNumbers,
  card: [firstPasses, elasticityCard],
  mayHaveEarlierCards: hasEarlierFloors,
  multiverse: promptseMultiverse,
};
