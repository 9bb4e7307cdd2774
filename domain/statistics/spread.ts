/** Mean and sample standard deviation: AVG and STDEV of the published tables. */

/** Arithmetic mean; null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Sample variance, n - 1 in the denominator; null of fewer than two values. */
export function sampleVariance(values: readonly number[]): number | null {
  const middle = mean(values);
  if (middle === null || values.length < 2) return null;
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

/** Sample standard deviation, in the values' unit; null of fewer than two values. */
export function standardDeviation(values: readonly number[]): number | null {
  const variance = sampleVariance(values);
  return variance === null ? null : Math.sqrt(variance);
}
