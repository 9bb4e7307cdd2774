/** Values of RobuNFR's measures as text: two decimals, three for short times. */
import { decimals, missing } from '../../../analysis/report/format.ts';
import type { DataCell } from '../../../analysis/report/part.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import type { Interval } from '../../../domain/statistics/intervals/interval.ts';

interface Measured {
  readonly metric: string;
}

interface Estimated {
  readonly value: number;
  readonly interval: Interval | null;
}

/** Times below this, ms, get three decimals. */
const shortMs = 10;

export function valueText({ metric }: Measured, value: number | null | undefined): string {
  if (value == null) return missing;
  return decimals(value, isTime(metric) && Math.abs(value) < shortMs ? 3 : 2);
}

const isTime = (metric: string): boolean =>
  Object.entries(solutionMetrics).some(([name, { unit }]) => name === metric && unit === 'ms');

export const rangeText = (measure: Measured, interval: Interval): string =>
  `${valueText(measure, interval.lo)} to ${valueText(measure, interval.hi)}`;

export function percentText(value: number | null | undefined, digits = 2): string {
  if (value == null) return missing;
  const text = value.toFixed(digits);
  return Number(text) === 0 ? `${(0).toFixed(digits)} %` : `${value > 0 ? '+' : ''}${text} %`;
}

const percents: Measured = { metric: 'percent' };
export const percentRange = (interval: Interval): string => rangeText(percents, interval);

/** A value with its interval under it. */
export const valueCell = (
  measure: Measured,
  value: number | null | undefined,
  interval: Interval | null | undefined,
): DataCell => cellOf(valueText(measure, value), value, interval == null ? null : rangeText(measure, interval));

/** A change in percent with its interval under it. */
export const percentCell = (
  value: number | null | undefined,
  interval: Interval | null | undefined,
  digits = 2,
): DataCell => cellOf(percentText(value, digits), value, interval == null ? null : percentRange(interval));

/** A ratio of times with its interval under it. */
export const ratioCell = (ratio: Estimated | null): DataCell =>
  cellOf(ratioText(ratio?.value), ratio?.value, ratio?.interval == null ? null : ratioRange(ratio.interval));

export const ratioText = (ratio: number | null | undefined): string => (ratio == null ? missing : ratio.toFixed(3));
export const ratioRange = ({ lo, hi }: Interval): string => `${lo.toFixed(3)} to ${hi.toFixed(3)}`;

const cellOf = (text: string, value: number | null | undefined, under: string | null): DataCell => ({
  text,
  value: value ?? null,
  ...(value == null || under === null ? {} : { under: [under] }),
});
