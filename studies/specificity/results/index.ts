/** PartialOrderEval's results. */
import { firstPasses } from '../../../analysis/card/first-passes.ts';
import { drawNumbers } from './answer-numbers.ts';
import { detailCard } from './card.ts';
import { specificityTables } from './tables.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { specificityReport } from '../report/index.ts';
import { detailSource } from './gate.ts';

export const specificityResults: StudyResults = {
  derive: specificityTables,
  report: specificityReport,
  gate: [firstAnswersSource, detailSource],
  neededSettings: [drawNumbers],
  card: [firstPasses, detailCard],
};
