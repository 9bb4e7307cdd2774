import { uniform } from '../../random.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { quantile } from '../quantile.ts';

export interface BootstrapOptions {
  /** From `seedOf(...)`: by names, so that an interval does not depend on what else was computed. */
  readonly seed: number;
  /** Resamples; default 2,000. */
  readonly resamples?: number;
  /** Default 0.95. */
  readonly level?: number;
}

export interface BootstrapResult {
  /** Null if the estimate was undefined in every resample, or there are no clusters. */
  readonly interval: Interval | null;
  readonly resamples: number;
  /** Resamples in which the estimate was defined; the interval is taken over these. */
  readonly defined: number;
}

export const defaultResamples = 2_000;

/**
 * Percentile bootstrap over clusters (Efron 1979): as many clusters as there are, are drawn with replacement and given
 * to the estimator; the interval is between the tail quantiles of its values. A cluster is a task with all its cells,
 * since these are not independent. The estimator must not keep the array it is given.
 */
export function clusterBootstrap<Cluster>(
  clusters: readonly Cluster[],
  estimator: (drawn: readonly Cluster[]) => number | null,
  options: BootstrapOptions,
): BootstrapResult {
  const values = resampledValues(clusters, estimator, options);
  return {
    interval: percentileInterval(values, options.level),
    resamples: options.resamples ?? defaultResamples,
    defined: values.length,
  };
}

/** The interval between the tail quantiles of resampled values; null without values. */
export function percentileInterval(values: readonly number[], level = defaultLevel): Interval | null {
  const tail = tailOf(level);
  const sorted = Float64Array.from(values).sort();
  return sorted.length === 0 ? null : { lo: quantile(sorted, tail), hi: quantile(sorted, 1 - tail) };
}

/** The estimate in each resample in which it is defined; empty without clusters. */
export function resampledValues<Cluster, Value>(
  clusters: readonly Cluster[],
  estimator: (drawn: readonly Cluster[]) => Value | null,
  { seed, resamples = defaultResamples }: BootstrapOptions,
): Value[] {
  if (clusters.length === 0) return [];
  const random = uniform(seed);
  const drawn = [...clusters];
  const values: Value[] = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    for (let place = 0; place < drawn.length; place += 1) {
      drawn[place] = clusters[Math.floor(random() * clusters.length)] as Cluster;
    }
    const value = estimator(drawn);
    if (value !== null) values.push(value);
  }
  return values;
}
