/** Values of RobuNFR's measures as readers see them: two decimals, three of short times. */
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import type { Interval } from '../../../domain/statistics/interval.ts';
import type { Estimate } from '../../estimate.ts';
import { missing } from '../format.ts';

interface Measured {
  readonly metric: string;
}

/** Times below this, ms, are told apart by their third decimal. */
const shortMs = 10;

export function valueText({ metric }: Measured, value: number | null | undefined): string {
  if (value == null) return missing;
  const isShort = isTime(metric) && Math.abs(value) < shortMs;
  // Without the sign of a negative number that rounds to nothing.
  return value.toFixed(isShort ? 3 : 2).replace(/^-(0\.0+)$/, '$1');
}

const isTime = (metric: string): boolean => Object.entries(solutionMetrics).some(([name, { unit }]) => name === metric && unit === 'ms');

export const rangeText = (measure: Measured, estimate: Estimate | null): string =>
  estimate?.interval == null ? missing : `${valueText(measure, estimate.interval.lo)} to ${valueText(measure, estimate.interval.hi)}`;

export function percentText(value: number | null | undefined, decimals = 2): string {
  if (value == null) return missing;
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? `${(0).toFixed(decimals)} %` : `${value > 0 ? '+' : ''}${text} %`;
}

/** With the interval in brackets, where there is one: `81.20 (74.30 to 86.90)`. */
export const valueWithRange = (measure: Measured, value: number | null, interval: Interval | null): string =>
  valueText(measure, value) + (value === null || interval === null ? '' : ` (${rangeText(measure, { value, interval })})`);

const percents: Measured = { metric: 'percent' };
export const percentWithRange = (value: number | null, interval: Interval | null): string =>
  percentText(value) + (value === null || interval === null ? '' : ` (${rangeText(percents, { value, interval })})`);
export const percentRange = (estimate: Estimate | null): string => rangeText(percents, estimate);

/** New / old: `1.020 (0.991 to 1.050)`. */
export function ratioText(ratio: Estimate | null): string {
  if (ratio === null) return missing;
  const { value, interval } = ratio;
  return value.toFixed(3) + (interval === null ? '' : ` (${interval.lo.toFixed(3)} to ${interval.hi.toFixed(3)})`);
}
