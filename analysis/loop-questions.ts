/** Everything that a report says of EVALOOP studies beyond their boards. */
import type { RunDatabase } from './database.ts';
import { currentEvaloopTables, evaloopStudies, type EvaloopTables } from './evaloop-tables.ts';
import { type ExternalComparison, externalComparisons, type ExternalRanking } from './external-ranking.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { type LoopRanks, loopRanks, type Standing, standings } from './loop-ranks.ts';
import { greedyAndSampled, type GreedyAndSampled, loopReliabilities, type LoopReliability } from './loop-reliability.ts';
import { type LoopSurvival, loopSurvivals } from './loop-survival.ts';

export interface LoopQuestions extends EvaloopTables {
  readonly ranks: readonly LoopRanks[];
  readonly standings: readonly Standing[];
  readonly external: readonly ExternalComparison[];
  readonly reliability: readonly LoopReliability[];
  readonly sampled: readonly GreedyAndSampled[];
  readonly survival: readonly LoopSurvival[];
}

export async function loopQuestions(
  database: RunDatabase,
  board: readonly LeaderboardRow[],
  ranking: ExternalRanking | null,
): Promise<LoopQuestions> {
  const formatOf = (run: string, benchmark: string): string | null =>
    database.manifests.find(({ runId }) => runId === run)?.benchmarks[benchmark]?.format ?? null;
  const hasLoops = database.manifests.some((manifest) => evaloopStudies(manifest).length > 0);
  return {
    ...(await currentEvaloopTables(database)),
    ranks: hasLoops ? await loopRanks(database, board) : [],
    standings: standings(board, formatOf),
    external: externalComparisons(board, ranking),
    reliability: loopReliabilities(database, board),
    sampled: hasLoops ? await greedyAndSampled(database) : [],
    survival: hasLoops ? await loopSurvivals(database) : [],
  };
}
