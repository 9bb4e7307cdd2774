/** Table cells that hold numbers. */
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import type { TestResult } from '../../domain/statistics/tests/test-result.ts';
import type { DataCell } from './part.ts';
import { countText, decimals, intervalText, missing, percentEnd, pText, shareText } from './format.ts';

export const number = (value: number | null | undefined, digits = 3): DataCell =>
  value == null || !Number.isFinite(value) ? { text: missing, value: null } : { text: decimals(value, digits), value };

/** Small values are written with a power of ten, so that only 0 is shown as 0. */
export const probability = (p: number | null | undefined): DataCell =>
  p == null
    ? { text: missing, value: null }
    : { text: p >= 0.0005 ? p.toFixed(3) : p === 0 ? '0' : p.toExponential(1), value: p };

/** Four digits, or `< 0.0001`. */
export const pValue = (p: number | null): DataCell => ({ text: pText(p), value: p });

export const share = (value: number | null | undefined): DataCell => ({
  text: shareText(value ?? null),
  value: value ?? null,
});

export const count = (value: number): DataCell => ({ text: countText(value), value });

export const range = (interval: Interval | null | undefined, digits = 3): DataCell =>
  interval == null
    ? { text: missing, value: null }
    : {
        text: `${decimals(interval.lo, digits)} – ${decimals(interval.hi, digits)}`,
        value: interval.hi - interval.lo,
      };

/** A number with its interval under it. */
export function withRange(
  value: number | null | undefined,
  interval: Interval | null | undefined,
  digits = 3,
): DataCell {
  const one = number(value, digits);
  return interval == null ? one : { ...one, under: [range(interval, digits).text] };
}

/** A test's statistic and p, as two cells. */
export const testCells = (result: TestResult): DataCell[] => [number(result.statistic), probability(result.p)];

/** A sentence that says why a test is undefined; empty if it is defined. */
export const notTestedText = (result: TestResult): string =>
  result.reason === null ? '' : ` Not tested: ${result.reason}.`;

/** Maps a value to its shade, 0 to 10, between the smallest and the largest of a table. */
export function shadeAmong(values: readonly (number | null)[]): (value: number | null) => number | null {
  const known = values.filter((value) => value !== null);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  return (value) => (value === null ? null : greatest === least ? 5 : (10 * (value - least)) / (greatest - least));
}

/** Below this, R² is not shown as a number: -1,684 says no more than -12. */
const leastExplained = -1;
const worse = 'worse than the mean';

/** R². If it is far below 0, the cell shows a dash and a remark instead, but is still sorted by the value. */
export function explained(value: number | null | undefined, interval: Interval | null | undefined): DataCell {
  const one = withRange(value, interval);
  if (value == null) return one;
  if (value < leastExplained) return { text: `${missing} (${worse})`, value };
  return interval == null || interval.lo >= leastExplained
    ? one
    : { ...number(value), under: [`below ${number(leastExplained, 0).text} – ${number(interval.hi).text}`] };
}

type Estimated = { readonly value: number; readonly interval: Interval | null } | null | undefined;

/** An estimate with its interval under it. @param ends how the interval's ends are written */
export function estimated(one: Estimated, text: (value: number) => string, ends = text): DataCell {
  if (one == null) return { text: missing, value: null };
  const { value, interval } = one;
  return { text: text(value), value, ...(interval === null ? {} : { under: [intervalText(interval, ends)] }) };
}

/** A number with its interval under it. */
export const estimatedNumber = (one: Estimated, digits = 3): DataCell =>
  estimated(one, (value) => decimals(value, digits));

/** A share in percent with its interval under it. */
export const estimatedShare = (one: Estimated): DataCell =>
  estimated(one, shareText, (value) => percentEnd(100 * value));
