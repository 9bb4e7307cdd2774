/** Ranks and groups of estimates that no single task has, from intervals that hold for all models at once. */
import { byTasks } from '../metrics/sides/nearly-all-tasks.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { compactGroups, groupsByItem, groupText } from '../statistics/ranks/compact-letters.ts';
import { placesOf } from '../statistics/ranks/ranks.ts';
import type { Direction } from '../statistics/tests/version-verdict.ts';
import type { ModelEstimate, PairIntervals } from './card-measure.ts';

export interface CardRank {
  /** 1 is best; ties share the mean of their ranks. */
  readonly rank: number;
  readonly interval: Interval;
  /** Two models share a letter exactly if no difference between them was shown. */
  readonly letters: string;
  /** Models that are shown to be better, and those shown to be worse. */
  readonly better: number;
  readonly worse: number;
  /** Models that are ranked. */
  readonly models: number;
  readonly method: string;
}

const intervalRankMethod = 'disjoint intervals, Bonferroni over models';
const pairRankMethod = 'disjoint intervals of two models on the tasks that they share, Bonferroni over all intervals';

interface RankOptions {
  readonly direction: Direction;
  readonly alpha: number;
}

/**
 * Two models differ if their intervals at level 1 - alpha / k are disjoint, k models: all k intervals hold at once with
 * probability 1 - alpha, however they depend on each other, so no such claim is wrong with that probability. Null for
 * models without a value or an interval. Where models have different tasks, k is the number of their intervals: one
 * for each list of tasks that a model shares with another; those with fewer tasks than others have none, as their
 * values would be ordered by the tasks.
 * @param found estimates at level 1 - alpha
 * @param estimates the same at any level
 */
export function estimateRanks(
  found: readonly (ModelEstimate | null)[],
  estimates: (level: number) => readonly (ModelEstimate | null)[],
  { direction, alpha }: RankOptions,
  pairs?: PairIntervals,
): (CardRank | null)[] {
  const valued = found.flatMap((one, model) => (one?.value != null && one.interval !== null ? [model] : []));
  const ranked = pairs === undefined ? valued : byTasks(valued, (model) => found[model]?.tasks ?? 0).nearlyAll;
  if (ranked.length === 0) return found.map(() => null);
  const sign = direction === 'higher' ? 1 : -1;
  const values = ranked.map((model) => sign * (found[model]?.value as number));
  const widestOf = pairs === undefined ? ownIntervals(estimates, ranked, alpha) : sharedIntervals(pairs, ranked, alpha);
  const ranks = placesOf(values);
  const isAhead = (a: number, b: number): boolean =>
    a !== b && goodEnds(widestOf(a, b), sign).lo > goodEnds(widestOf(b, a), sign).hi;
  const letters = lettersOf(ranks, (a, b) => isAhead(a, b) || isAhead(b, a));
  const places = ranked.map((_, place) => place);
  const method = pairs === undefined ? intervalRankMethod : pairRankMethod;
  const ofRanked = ranked.map((_, place): CardRank => {
    const better = places.filter((other) => isAhead(other, place)).length;
    const worse = places.filter((other) => isAhead(place, other)).length;
    return {
      ...{ rank: ranks[place] as number, interval: { lo: 1 + better, hi: ranked.length - worse } },
      ...{ letters: letters[place] as string, better, worse, models: ranked.length, method },
    };
  });
  return found.map((_, model) => ofRanked[ranked.indexOf(model)] ?? null);
}

type Ends = ModelEstimate['interval'];

/** The interval of a ranked model against another, by their places in `ranked`. */
type IntervalsOf = (place: number, other: number) => Ends;

function ownIntervals(
  estimates: (level: number) => readonly (ModelEstimate | null)[],
  ranked: readonly number[],
  alpha: number,
): IntervalsOf {
  const wide = estimates(1 - alpha / ranked.length);
  return (place) => wide[ranked[place] as number]?.interval ?? null;
}

/** Each is computed once. */
function sharedIntervals(pairs: PairIntervals, ranked: readonly number[], alpha: number): IntervalsOf {
  const modelOf = (place: number): number => ranked[place] as number;
  const nameOf = (place: number, other: number): string => `${place} ${pairs.name(modelOf(place), modelOf(other))}`;
  const all = ranked.flatMap((_, place) =>
    ranked.flatMap((__, other) => (other === place ? [] : [nameOf(place, other)])),
  );
  const level = 1 - alpha / Math.max(1, new Set(all).size);
  const known = new Map<string, Ends>();
  return (place, other) => {
    const name = nameOf(place, other);
    const found = known.get(name);
    if (found !== undefined) return found;
    const interval = pairs.intervalOf(modelOf(place), modelOf(other), level);
    known.set(name, interval);
    return interval;
  };
}

/** The interval on a scale where more is better. */
function goodEnds(interval: Ends, sign: number): { readonly lo: number; readonly hi: number } {
  const { lo = -Infinity, hi = null } = interval ?? {};
  const top = hi ?? Infinity;
  return sign === 1 ? { lo, hi: top } : { lo: -top, hi: -lo };
}

/** By model; the groups are made in the order of ranks. */
function lettersOf(ranks: readonly number[], differ: (a: number, b: number) => boolean): string[] {
  const order = ranks.map((_, place) => place).toSorted((a, b) => (ranks[a] as number) - (ranks[b] as number) || a - b);
  const groups = compactGroups(order.length, (a, b) => differ(order[a] as number, order[b] as number));
  const texts = groupsByItem(groups, order.length).map((own) => groupText(own, groups.length));
  return ranks.map((_, place) => texts[order.indexOf(place)] as string);
}
