/** PartialOrderEval's results. */
import { excludedList } from '../../../analysis/excluded-list.ts';
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { firstPassesIn } from '../../../analysis/card/first-passes.ts';
import { drawNumbers } from './answer-numbers.ts';
import { detailCard } from './card.ts';
import { specificityTableNames, specificityTables } from './tables.ts';
import { firstAnswersSource } from '../../../analysis/gate/solutions.ts';
import type { StudyResults } from '../../study-results.ts';
import { specificityReport } from '../report/index.ts';
import { detailConditions, detailSource } from './gate.ts';

export const specificityResults: StudyResults = {
  derives: specificityTableNames,
  derive: specificityTables,
  report: specificityReport,
  gate: [firstAnswersSource, detailSource],
  conditions: (study) => (study.kind === 'specificity' ? detailConditions(study) : []),
  neededSettings: [drawNumbers],
  comparedPrompts: 'each',
  card: [firstPassesIn(null, 'with the unchanged prompt'), detailCard],
  // Older programs left no mark of how they treated these.
  mayHaveEarlierCards: async (database, { runId }) => {
    const own = `FROM prompt_passes WHERE run = ${quoteText(runId)}`;
    return (await records(database, `${unjudged(own)} UNION ALL ${seldomRight(own)}`)).length > 0;
  },
};

/** They compared all models on the tasks that were judged of all. */
const unjudged = (own: string): string => `(SELECT 1 AS one ${own} AND reason IN (${excludedList}) LIMIT 1)`;

/** They said of a model that passes nothing that it needs no detail. Above a half, it surely passes something. */
const seldomRight = (own: string): string =>
  `(SELECT 1 AS one ${own} AND augmentation = 'maximal' GROUP BY study, model ` +
  'HAVING coalesce(avg(passed::INT), 0) < 0.5 LIMIT 1)';
