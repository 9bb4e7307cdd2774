/** Results of translation chains. */
import { firstPasses } from '../../../analysis/card/first-passes.ts';
import { chainCard } from './card.ts';
import { functionOnly } from '../../../analysis/gate/conditions.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { chainReport } from '../report/index.ts';
import { chainNeeds, chainSource } from './gate.ts';
import { chainMultiverse } from './multiverse.ts';
import { chainTables } from './tables.ts';

export const chainResults: StudyResults = {
  derives: ['chain_scores', 'chain_failures'],
  derive: async (database, manifest) => ({ ...(await chainTables(database, manifest)) }),
  report: chainReport,
  gate: [firstAnswersSource, chainSource],
  conditions: () => [functionOnly('chain_score')],
  asksByAnswers: true,
  neededSettings: [chainNeeds],
  card: [firstPasses, chainCard],
  multiverse: chainMultiverse,
};
