import { boundedMeanInterval } from './bounded-mean.ts';
import type { Interval } from './interval.ts';

/** One cluster's part of a mean: the sum and the number of its values. */
export interface ClusterSum {
  readonly sum: number;
  readonly n: number;
}

export interface RatioEstimate {
  /** Mean over all values. */
  readonly value: number;
  /** Gaffke's bounds over clusters. */
  readonly interval: Interval | null;
  /** Number of values. */
  readonly n: number;
}

/** The mean of values in clusters, between bounds; null without values. */
export function ratioEstimate(clusters: readonly ClusterSum[], bounds: Interval): RatioEstimate | null {
  const used = clusters.filter(({ n }) => n > 0);
  const weights = used.map(({ n }) => n);
  const n = weights.reduce((total, one) => total + one, 0);
  if (n === 0) return null;
  const means = used.map((cluster) => cluster.sum / cluster.n);
  return {
    value: used.reduce((total, { sum }) => total + sum, 0) / n,
    interval: boundedMeanInterval(means, bounds, { weights }),
    n,
  };
}
