/** Results of plain pass@k. */
import { firstPasses } from '../../../analysis/card/first-passes.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { passReport } from '../report/index.ts';
import { passTableNames, passTables } from './tables.ts';

export const passResults: StudyResults = {
  derives: passTableNames,
  derive: passTables,
  report: passReport,
  gate: [firstAnswersSource],
  card: [firstPasses],
};
