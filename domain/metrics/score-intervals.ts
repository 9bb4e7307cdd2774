/** Columns of an estimate that is a mean over tasks, of scores with known bounds. */
import type { Row } from '../../schemas/tables.ts';
import { boundedMeanInterval } from '../statistics/intervals/bounded-mean.ts';
import { clusteredInterval } from '../statistics/intervals/clustered-interval.ts';
import type { Interval } from '../statistics/intervals/interval.ts';
import { mean } from '../statistics/spread.ts';

/** Bounds of shares, scores and elasticities, and of differences of two of them. */
export const shareBounds: Interval = { lo: 0, hi: 1 };
export const differenceBounds: Interval = { lo: -1, hi: 1 };

/** NAME, NAME_lo and NAME_hi; all null without values. */
export function meanColumns(name: string, values: readonly number[], bounds: Interval): Row {
  const interval = boundedMeanInterval(values, bounds);
  return { [name]: mean(values), [`${name}_lo`]: interval?.lo ?? null, [`${name}_hi`]: interval?.hi ?? null };
}

/** A value in a cluster, usually a task: values of one cluster may depend on each other. */
export interface Clustered {
  readonly cluster: string;
  readonly value: number;
}

/** Interval of the mean over all values; each cluster enters as its mean, weighted by its number of values. */
export const intervalOfClusters = (values: readonly Clustered[], bounds: Interval): Interval | null =>
  clusteredInterval([...Map.groupBy(values, ({ cluster }) => cluster).values()], ({ value }) => value, bounds);

/** Like `meanColumns`, for values in clusters. */
export function clusteredColumns(name: string, values: readonly Clustered[], bounds: Interval): Row {
  const interval = intervalOfClusters(values, bounds);
  return {
    [name]: mean(values.map(({ value }) => value)),
    [`${name}_lo`]: interval?.lo ?? null,
    [`${name}_hi`]: interval?.hi ?? null,
  };
}
