/** EVALOOP's results: ASL, and everything that is estimated from loops. */
import { estimatedAsl } from '../../../analysis/asl-table.ts';
import { evaloopTables } from '../../../analysis/evaloop-tables.ts';
import { leaderboard } from '../../../analysis/leaderboard.ts';
import type { StudyResults } from '../../study-results.ts';

export const evaloopResults: StudyResults = {
  derive: async (database, manifest) => {
    const asl = estimatedAsl(database, manifest);
    const board = asl.then((rows) => leaderboard(database, rows));
    const tables = await evaloopTables(database, manifest, board);
    return { asl: await asl, ...tables };
  },
};
