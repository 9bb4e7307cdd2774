/**
 * Change in percent of the baseline: 100 (value - baseline) / baseline. Null if either is missing or the baseline is
 * 0. Example: 68.29 against 72.50 is -5.81 %.
 */
export function deltaPercent(value: number | null, baseline: number | null): number | null {
  return value === null || baseline === null || baseline === 0 ? null : (100 * (value - baseline)) / baseline;
}
