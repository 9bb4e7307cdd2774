/** The results of RobuNFR's three kinds of study. */
import { requirementsCard } from './card.ts';
import { robunfrTables } from './tables.ts';
import type { StudyResults } from '../../study-results.ts';
import { robunfrReport } from '../report/index.ts';
import { currentWorseVersions } from '../report/worse-versions.ts';
import { requirementsSource } from './gate.ts';

export const robunfrResults: StudyResults = {
  derive: robunfrTables,
  report: robunfrReport,
  // The requirement of a phrasing such as design-01.
  variantGroup: (variant) => variant.replace(/-\d+$/, ''),
  gate: [requirementsSource],
  card: [requirementsCard],
  worse: currentWorseVersions,
};
