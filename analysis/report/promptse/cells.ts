/** Numbers of PromptSE's tables as cells. */
import type { Interval } from '../../../domain/statistics/interval.ts';
import type { TestResult } from '../../../domain/statistics/test-result.ts';
import type { DataCell } from '../data-table.ts';
import { countText, decimals, missing, shareText } from '../format.ts';

export const number = (value: number | null | undefined, digits = 3): DataCell =>
  value == null || !Number.isFinite(value) ? { text: missing, value: null } : { text: decimals(value, digits), value };

/** Small ones with their power of ten, so that none is shown as zero. */
export const probability = (p: number | null | undefined): DataCell =>
  p == null ? { text: missing, value: null } : { text: p >= 0.0005 ? p.toFixed(3) : p === 0 ? '0' : p.toExponential(1), value: p };

export const share = (value: number | null | undefined): DataCell => ({ text: shareText(value ?? null), value: value ?? null });

export const count = (value: number): DataCell => ({ text: countText(value), value });

export const range = (interval: Interval | null | undefined, digits = 3): DataCell =>
  interval == null
    ? { text: missing, value: null }
    : { text: `${decimals(interval.lo, digits)} – ${decimals(interval.hi, digits)}`, value: interval.hi - interval.lo };

/** An estimate and its interval, as two cells. */
export const estimate = (one: { readonly value: number; readonly interval: Interval | null } | null): DataCell[] => [
  number(one?.value),
  range(one?.interval),
];

/** An estimate with its interval in brackets, for tables of many estimates; sorted by the estimate. */
export function withRange(value: number | null | undefined, interval: Interval | null | undefined, digits = 3): DataCell {
  const one = number(value, digits);
  return interval == null ? one : { ...one, text: `${one.text} (${range(interval, digits).text})` };
}

/** A share and its interval, as two cells. */
export const shareEstimate = (one: { readonly value: number; readonly interval: Interval | null } | null): DataCell[] => [
  share(one?.value),
  one?.interval == null
    ? { text: missing, value: null }
    : { text: `${(100 * one.interval.lo).toFixed(1)} – ${(100 * one.interval.hi).toFixed(1)} %`, value: one.interval.hi - one.interval.lo },
];

/** Statistic and p, as two cells. */
export const test = (result: TestResult): DataCell[] => [number(result.statistic), probability(result.p)];

/** The reason why a test is undefined, where it is. */
export const why = (result: TestResult): string => (result.reason === null ? '' : ` Not tested: ${result.reason}.`);

/** How strongly a value is coloured between the least and the greatest of a table. */
export function shadeAmong(values: readonly (number | null)[]): (value: number | null) => number | null {
  const known = values.filter((value) => value !== null);
  const [least, greatest] = [Math.min(...known), Math.max(...known)];
  return (value) => (value === null ? null : greatest === least ? 5 : (10 * (value - least)) / (greatest - least));
}

/** So far below 0 R² has no meaning of its own: -1,684 is no worse than -12. */
const leastExplained = -1;
const worse = 'worse than the mean';

/** R²: far below 0 a dash that says what it means; sorted by the value all the same. */
export function explained(value: number | null | undefined, interval: Interval | null | undefined): DataCell {
  const one = withRange(value, interval);
  if (value == null) return one;
  if (value < leastExplained) return { text: `${missing} (${worse})`, value };
  return interval == null || interval.lo >= leastExplained
    ? one
    : { text: `${number(value).text} (below ${number(leastExplained, 0).text} – ${number(interval.hi).text})`, value };
}
