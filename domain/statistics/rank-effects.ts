/** Effect sizes of ranks between groups, with intervals by resampling clusters. Ranks are counted on values that are sorted once. */
import { type BootstrapOptions, percentileInterval } from './bootstrap.ts';
import type { Interval } from './interval.ts';
import { epsilonSquared } from './kruskal-wallis.ts';
import { midRanks } from './ranks.ts';
import { resampledByWeight } from './resampled-weights.ts';

export interface Grouped {
  /** Index of the group, from 0. */
  readonly group: number;
  /** Observations of one name are drawn together. */
  readonly cluster: string;
  readonly value: number;
}

export interface RankEffects {
  /** Kruskal and Wallis's; null where it is undefined in every resample. */
  readonly epsilonSquared: Interval | null;
  /** Cliff's delta of each pair of groups, `[first][second]`. */
  readonly cliffsDelta: readonly (readonly (Interval | null)[])[];
}

interface Resample {
  readonly epsilonSquared: number | null;
  readonly cliffsDelta: readonly (readonly (number | null)[])[];
}

export function rankEffects(values: readonly Grouped[], groups: number, options: BootstrapOptions): RankEffects {
  const names = [...new Set(values.map(({ cluster }) => cluster))];
  const place = new Map(names.map((name, index) => [name, index]));
  const ranks = midRanks(values.map(({ value }) => value));
  const sorted = values
    .map(({ group, cluster }, index) => ({ group, at: place.get(cluster) as number, rank: ranks[index] as number }))
    .toSorted((a, b) => a.rank - b.rank);
  const drawn = resampledByWeight(names.length, (times) => effectsOf(sorted, groups, times), options);
  const interval = (of: (resample: Resample) => number | null | undefined): Interval | null =>
    percentileInterval(
      drawn.flatMap((resample) => of(resample) ?? []),
      options.level,
    );
  const all = Array.from({ length: groups }, (_, index) => index);
  return {
    epsilonSquared: interval((resample) => resample.epsilonSquared),
    cliffsDelta: all.map((a) => all.map((b) => interval((resample) => resample.cliffsDelta[a]?.[b]))),
  };
}

interface Placed {
  readonly group: number;
  /** Index of the cluster. */
  readonly at: number;
  readonly rank: number;
}

/** One pass over the values in order, block by block of equal ones; each counts as often as its cluster was drawn. */
function effectsOf(sorted: readonly Placed[], groups: number, times: Float64Array): Resample {
  const below = new Float64Array(groups);
  const rankSums = new Float64Array(groups);
  const wins = Array.from({ length: groups }, () => new Float64Array(groups));
  let [n, ties] = [0, 0];
  for (let start = 0; start < sorted.length; ) {
    const block = new Float64Array(groups);
    const { rank } = sorted[start] as Placed;
    let size = 0;
    for (; start < sorted.length && (sorted[start] as Placed).rank === rank; start += 1) {
      const { group, at } = sorted[start] as Placed;
      block[group] = (block[group] as number) + (times[at] as number);
      size += times[at] as number;
    }
    for (let a = 0; a < groups; a += 1) {
      const own = block[a] as number;
      if (own === 0) continue;
      rankSums[a] = (rankSums[a] as number) + own * (n + (size + 1) / 2);
      for (let b = 0; b < groups; b += 1)
        (wins[a] as Float64Array)[b] = (wins[a]?.[b] as number) + own * ((below[b] as number) + (block[b] as number) / 2);
    }
    for (let a = 0; a < groups; a += 1) below[a] = (below[a] as number) + (block[a] as number);
    n += size;
    ties += size ** 3 - size;
  }
  return {
    epsilonSquared: epsilonOf(rankSums, below, n, ties),
    cliffsDelta: wins.map((row, a) => [...row].map((won, b) => delta(won, below[a], below[b]))),
  };
}

function epsilonOf(rankSums: Float64Array, counts: Float64Array, n: number, ties: number): number | null {
  const correction = 1 - ties / (n ** 3 - n);
  if (n < 2 || correction === 0) return null;
  const total = rankSums.reduce((sum, ranks, group) => sum + (counts[group] === 0 ? 0 : ranks ** 2 / (counts[group] as number)), 0);
  return epsilonSquared(((12 / (n * (n + 1))) * total - 3 * (n + 1)) / correction, n);
}

const delta = (won: number, first = 0, second = 0): number | null =>
  first === 0 || second === 0 ? null : (2 * won) / (first * second) - 1;
