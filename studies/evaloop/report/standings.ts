/** The place that each model would have among the published ones. */
import published from '../../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';
import { placeAmong } from '../../../domain/statistics/ranks/place-among.ts';
import type { LeaderboardRow } from '../results/leaderboard.ts';

export interface Standing {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  /** ASL; without a judge, ASL with every s_i = 1. */
  readonly asl: number;
  readonly judged: boolean;
  /** 1 is best; null, with a reason, if the scores are not comparable. */
  readonly place: number | null;
  readonly interval: Interval | null;
  /** Number of published models. */
  readonly among: number;
  readonly reason: string | null;
}

export function standings(
  board: readonly LeaderboardRow[],
  formatOf: (run: string, benchmark: string) => string | null,
): Standing[] {
  const scores = published.rows.map(({ asl }) => asl);
  return board
    .filter(({ setting }) => setting === 'default')
    .flatMap((row) => {
      const estimate = row.asl ?? row.aslUnweighted;
      if (estimate === null) return [];
      const { run, study, model, benchmark, maxLoops } = row;
      const reason = incomparable(formatOf(run, benchmark), maxLoops);
      const place = (value: number): number => placeAmong(value, scores);
      const interval =
        estimate.interval === null ? null : { lo: place(estimate.interval.hi), hi: place(estimate.interval.lo) };
      const common = { run, study, model, asl: estimate.value, judged: row.asl !== null, among: scores.length, reason };
      return [
        {
          ...common,
          place: reason === null ? place(estimate.value) : null,
          interval: reason === null ? interval : null,
        },
      ];
    });
}

function incomparable(format: string | null, maxLoops: number): string | null {
  if (format !== 'mbpp-plus') return `the published scores are for ${published.benchmark}`;
  return maxLoops === published.max_loops
    ? null
    : `the published scores are for ${published.max_loops} loops, not ${maxLoops}`;
}
