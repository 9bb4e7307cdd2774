import { coverage, type RunCoverage } from '../analysis/coverage.ts';
import type { RunDatabase } from '../analysis/database.ts';
import { resultsOfKind } from './results.ts';

/** How much of each run is sealed, in the order the runs were opened. */
export const runCoverage = (database: RunDatabase): Promise<RunCoverage[]> =>
  coverage(database, ({ kind }) => resultsOfKind(kind).sealedCells);
