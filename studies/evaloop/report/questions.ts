/** A report's data about EVALOOP studies beyond their boards. */
import type { Row } from '../../../schemas/tables.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { currentEvaloopTables } from '../results/tables.ts';
import type { ExternalRanking } from '../../../analysis/external-ranking.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';
import type { LoopRanks } from '../results/ranks/loop-ranks.ts';
import type { GreedyAndSampled } from '../results/reliability/greedy-and-sampled.ts';
import type { LoopReliability } from '../results/reliability/loop-reliability.ts';
import type { LoopSurvival } from '../results/survival/loop-survival.ts';
import { ranksFrom } from '../results/ranks/rank-rows.ts';
import { reliabilitiesFrom, samplingsFrom } from '../results/reliability/reliability-rows.ts';
import { type JudgedBreaks, judgedBreaks } from '../results/survival/similarity.ts';
import { survivalsFrom } from '../results/survival/survival-rows.ts';
import { type ExternalComparison, externalComparisons } from './external-comparisons.ts';
import { type Standing, standings } from './standings.ts';

export interface LoopQuestions {
  readonly attacks: readonly Row[];
  readonly judges: readonly Row[];
  readonly ranks: readonly LoopRanks[];
  readonly standings: readonly Standing[];
  readonly external: readonly ExternalComparison[];
  readonly reliability: readonly LoopReliability[];
  readonly sampled: readonly GreedyAndSampled[];
  readonly survival: readonly LoopSurvival[];
  readonly similarities: readonly JudgedBreaks[];
}

/** Reads rankings, reliability and survival from their tables, so that queries give the same numbers. */
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
    judges: tables.loop_judges,
    ranks: ranksFrom(tables),
    standings: standings(board, formatOf),
    external: externalComparisons(board, ranking),
    reliability: reliabilitiesFrom(tables),
    sampled: samplingsFrom(tables),
    survival: survivalsFrom(tables),
    similarities: await judgedBreaks(database),
  };
}
