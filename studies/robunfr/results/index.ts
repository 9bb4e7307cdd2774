/** The results of RobuNFR's three kinds of study. */
import { records } from '../../../analysis/records.ts';
import { quoteText } from '../../../analysis/views.ts';
import { requirementsCard, spread } from './card.ts';
import { robunfrTableNames, robunfrTables } from './tables.ts';
import type { StudyResults } from '../../study-results.ts';
import { robunfrReport } from '../report/index.ts';
import { currentWorseVersions } from '../report/worse-versions.ts';
import { requirementConditions, requirementNeeds, requirementsSource } from './gate.ts';

export const robunfrResults: StudyResults = {
  derives: robunfrTableNames,
  derive: robunfrTables,
  report: robunfrReport,
  // The requirement of a phrasing such as design-01.
  variantGroup: (variant) => variant.replace(/-\d+$/, ''),
  gate: [requirementsSource],
  conditions: requirementConditions,
  neededSettings: requirementNeeds,
  card: [requirementsCard],
  worse: currentWorseVersions,
  // Older programs gave a model that passes nothing a spread of 0.
  mayHaveEarlierCards: async (database, { runId }) => {
    const own = `FROM cards WHERE run = ${quoteText(runId)} AND metric = '${spread.name}' AND estimate = 0`;
    return (await records(database, `SELECT 1 AS one ${own} LIMIT 1`)).length > 0;
  },
};
