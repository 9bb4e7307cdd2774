import { type BootstrapOptions, percentileInterval } from './bootstrap.ts';
import type { Interval } from './interval.ts';
import { resampledByWeight } from './resampled-weights.ts';

/** One cluster's part of a mean: the sum of its values and how many there are. */
export interface ClusterSum {
  readonly sum: number;
  readonly n: number;
}

export interface RatioEstimate {
  /** Mean over all values. */
  readonly value: number;
  /** Percentile bootstrap over clusters. */
  readonly interval: Interval | null;
  readonly n: number;
}

/** A mean over values that come in clusters; null without values. */
export function ratioEstimate(clusters: readonly ClusterSum[], options: BootstrapOptions): RatioEstimate | null {
  const used = clusters.filter(({ n }) => n > 0);
  const n = used.reduce((total, cluster) => total + cluster.n, 0);
  if (n === 0) return null;
  const values = resampledByWeight(
    used.length,
    (times) => {
      let [sum, count] = [0, 0];
      for (const [index, cluster] of used.entries()) {
        sum += (times[index] as number) * cluster.sum;
        count += (times[index] as number) * cluster.n;
      }
      return sum / count;
    },
    options,
  );
  return { value: used.reduce((total, { sum }) => total + sum, 0) / n, interval: percentileInterval(values, options.level), n };
}
