/** Mean and sample standard deviation: AVG and STDEV of the published tables. */
import { unitOf } from './rounding.ts';

/** Arithmetic mean; null for an empty list. */
export function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const unit = unitOf(values);
  return unit * (values.reduce((sum, value) => sum + value / unit, 0) / values.length);
}

/** Sample variance, n - 1 in the denominator; null for fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  const deviation = standardDeviation(values);
  return deviation === null ? null : deviation ** 2;
}

/** Sample standard deviation, in the values' unit; null for fewer than two values. */
export function standardDeviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const unit = unitOf(values);
  const scaled = values.map((value) => value / unit);
  const middle = mean(scaled) as number;
  return unit * Math.sqrt(scaled.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}
