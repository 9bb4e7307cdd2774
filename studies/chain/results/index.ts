/** Results of translation chains. */
import { chainTables } from '../../../analysis/chain-tables.ts';
import type { StudyResults } from '../../study-results.ts';

export const chainResults: StudyResults = { derive: async (database, manifest) => ({ ...(await chainTables(database, manifest)) }) };
