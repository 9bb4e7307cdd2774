/** PartialOrderEval's results. */
import { excludedList } from '../../../analysis/excluded-list.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
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
  // Older programs compared all models on the tasks that were judged of all, and left no mark of it.
  mayHaveEarlierCards: async (database, { runId }) =>
    (
      await records(
        database,
        `SELECT 1 AS one FROM prompt_passes WHERE run = ${quoteText(runId)} AND reason IN (${excludedList}) LIMIT 1`,
      )
    ).length > 0,
};
