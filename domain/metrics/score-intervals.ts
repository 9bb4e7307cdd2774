/** Columns of an estimate that is a mean over tasks of scores between known bounds. */
import type { Row } from '../../schemas/tables.ts';
import { boundedMeanInterval } from '../statistics/bounded-mean.ts';
import { clusteredInterval } from '../statistics/clustered-interval.ts';
import type { Interval } from '../statistics/interval.ts';
import { mean } from '../statistics/spread.ts';

/** Of shares, scores and elasticities; and of differences of two of them. */
export const shareBounds: Interval = { lo: 0, hi: 1 };
export const differenceBounds: Interval = { lo: -1, hi: 1 };

/** NAME, NAME_lo and NAME_hi; all null without values. */
export function meanColumns(name: string, values: readonly number[], bounds: Interval): Row {
  const interval = boundedMeanInterval(values, bounds);
  return { [name]: mean(values), [`${name}_lo`]: interval?.lo ?? null, [`${name}_hi`]: interval?.hi ?? null };
}

/** A value of a task, or of whatever else is drawn whole: values of one cluster may depend on one another. */
export interface Clustered {
  readonly cluster: string;
  readonly value: number;
}

/** Of the mean over all values; each cluster goes in as its own mean, with the number of its values as its weight. */
export const intervalOfClusters = (values: readonly Clustered[], bounds: Interval): Interval | null =>
  clusteredInterval([...Map.groupBy(values, ({ cluster }) => cluster).values()], ({ value }) => value, bounds);

/** The same as `meanColumns`, of values that come in clusters. */
export function clusteredColumns(name: string, values: readonly Clustered[], bounds: Interval): Row {
  const interval = intervalOfClusters(values, bounds);
  return { [name]: mean(values.map(({ value }) => value)), [`${name}_lo`]: interval?.lo ?? null, [`${name}_hi`]: interval?.hi ?? null };
}
