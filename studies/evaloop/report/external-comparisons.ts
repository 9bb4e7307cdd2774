/** Compares the models' ranking by ASL with an external one (EVALOOP, section 4.2, uses SWE-bench's). */
import { compareRankings, type RankComparison } from '../../../domain/statistics/ranks/rank-comparison.ts';
import type { ExternalRanking } from '../../../analysis/external-ranking.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';

export interface ExternalComparison {
  readonly run: string;
  readonly study: string;
  readonly name: string;
  readonly source: string | null;
  readonly comparison: RankComparison;
}

/** One per study, by ASL; without a judge by ASL with every s_i = 1. */
export function externalComparisons(
  board: readonly LeaderboardRow[],
  ranking: ExternalRanking | null,
): ExternalComparison[] {
  if (ranking === null) return [];
  const studies = Map.groupBy(
    board.filter(({ setting }) => setting === 'default'),
    ({ run, study, benchmark }) => JSON.stringify([run, study, benchmark]),
  );
  return [...studies.values()].map((rows) => {
    const [{ run, study }] = rows as [LeaderboardRow];
    const judged = rows.some(({ asl }) => asl !== null);
    const ours = new Map(
      rows.flatMap((row) =>
        (judged ? row.asl : row.aslUnweighted) === null ? [] : [[row.model, scoreOf(row, judged)] as const],
      ),
    );
    return {
      run,
      study,
      name: ranking.name,
      source: ranking.source ?? null,
      comparison: compareRankings(ours, ranking.scores),
    };
  });
}

const scoreOf = (row: LeaderboardRow, judged: boolean): number =>
  ((judged ? row.asl : row.aslUnweighted) as { value: number }).value;
