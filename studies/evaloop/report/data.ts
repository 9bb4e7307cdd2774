/** A report's data about EVALOOP studies, without layout. */
import type { RunDatabase } from '../../../analysis/database.ts';
import type { ExternalRanking } from '../../../analysis/external-ranking.ts';
import { type LeaderboardRow, leaderboard } from '../results/leaderboard.ts';
import { type LoopQuestions, loopQuestions } from './questions.ts';
import { type Ending, endings } from './endings.ts';
import { type TaskMatrix, taskMatrices } from './task-matrix.ts';

export interface EvaloopData {
  readonly leaderboard: readonly LeaderboardRow[];
  readonly endings: readonly Ending[];
  readonly matrices: readonly TaskMatrix[];
  readonly evaloop: LoopQuestions;
}

/** @param ranking an external ranking of the models to compare with */
export async function collectEvaloop(
  database: RunDatabase,
  ranking: ExternalRanking | null = null,
): Promise<EvaloopData> {
  const rows = await leaderboard(database);
  const unchanged = rows.filter(({ setting }) => setting === 'default');
  return {
    leaderboard: rows,
    endings: await endings(database),
    matrices: await taskMatrices(database, unchanged),
    evaloop: await loopQuestions(database, rows, ranking),
  };
}
