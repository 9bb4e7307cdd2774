/** Compares the models' ranking by ASL with an external one (EVALOOP, section 4.2, uses SWE-bench's). */
import { byTasks } from '../../../domain/metrics/sides/nearly-all-tasks.ts';
import { compareRankings, type RankComparison } from '../../../domain/statistics/ranks/rank-comparison.ts';
import type { ExternalRanking } from '../../../analysis/external-ranking.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';

export interface ExternalComparison {
  readonly run: string;
  readonly study: string;
  readonly name: string;
  readonly source: string | null;
  /** Over the models with an ASL of nearly all tasks. */
  readonly comparison: RankComparison;
  /** Models whose ASL is of fewer tasks than others'. */
  readonly fewerTasks: readonly string[];
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
    const scored = rows.filter((row) => (judged ? row.asl : row.aslUnweighted) !== null);
    const { nearlyAll, fewer } = byTasks(scored, ({ n }) => n);
    const ours = new Map(nearlyAll.map((row) => [row.model, scoreOf(row, judged)]));
    const fewerTasks = fewer.map(({ model }) => model);
    return {
      run,
      study,
      name: ranking.name,
      source: ranking.source ?? null,
      comparison: withoutModels(compareRankings(ours, ranking.scores), fewerTasks),
      fewerTasks,
    };
  });
}

/** Models that are left out of the first ranking are not said to be missing in it. */
const withoutModels = (found: RankComparison, left: readonly string[]): RankComparison => ({
  ...found,
  onlySecond: found.onlySecond.filter((model) => !left.includes(model)),
});

const scoreOf = (row: LeaderboardRow, judged: boolean): number =>
  ((judged ? row.asl : row.aslUnweighted) as { value: number }).value;
