/** RobuNFR's results, of its three kinds of study. */
import { robunfrTables } from '../../../analysis/robunfr-tables.ts';
import type { StudyResults } from '../../study-results.ts';

export const robunfrResults: StudyResults = { derive: robunfrTables };
