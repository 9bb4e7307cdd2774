/** Everything that a report says of EVALOOP studies beyond their boards. */
import type { Row } from '../schemas/tables.ts';
import type { RunDatabase } from './database.ts';
import { currentEvaloopTables } from './evaloop-tables.ts';
import { type ExternalComparison, externalComparisons, type ExternalRanking } from './external-ranking.ts';
import type { LeaderboardRow } from './leaderboard.ts';
import { type LoopRanks, type Standing, standings } from './loop-ranks.ts';
import type { GreedyAndSampled, LoopReliability } from './loop-reliability.ts';
import type { LoopSurvival } from './loop-survival.ts';
import { ranksFrom } from './loops/rank-rows.ts';
import { reliabilitiesFrom, samplingsFrom } from './loops/reliability-rows.ts';
import { type JudgedBreaks, judgedBreaks } from './loops/similarity.ts';
import { survivalsFrom } from './loops/survival-rows.ts';

export interface LoopQuestions {
  readonly attacks: readonly Row[];
  readonly ranks: readonly LoopRanks[];
  readonly standings: readonly Standing[];
  readonly external: readonly ExternalComparison[];
  readonly reliability: readonly LoopReliability[];
  readonly sampled: readonly GreedyAndSampled[];
  readonly survival: readonly LoopSurvival[];
  readonly similarities: readonly JudgedBreaks[];
}

/** Rankings, reliability and survival are read from their tables, so that a query gives the same numbers. */
export async function loopQuestions(
  database: RunDatabase,
  board: readonly LeaderboardRow[],
  ranking: ExternalRanking | null,
): Promise<LoopQuestions> {
  const formatOf = (run: string, benchmark: string): string | null =>
    database.manifests.find(({ runId }) => runId === run)?.benchmarks[benchmark]?.format ?? null;
  const tables = await currentEvaloopTables(database, board);
  return {
    attacks: tables.attacks,
    ranks: ranksFrom(tables),
    standings: standings(board, formatOf),
    external: externalComparisons(board, ranking),
    reliability: reliabilitiesFrom(tables),
    sampled: samplingsFrom(tables),
    survival: survivalsFrom(tables),
    similarities: await judgedBreaks(database),
  };
}
