/** PartialOrderEval's results. */
import { specificityTables } from '../../../analysis/specificity-tables.ts';
import type { StudyResults } from '../../study-results.ts';

export const specificityResults: StudyResults = { derive: specificityTables };
