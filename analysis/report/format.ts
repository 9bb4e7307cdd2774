/** Numbers and times as text. A missing value is a dash, never 0. */
import { confidenceText } from '../../domain/gate/numbers.ts';
import type { Interval } from '../../domain/statistics/intervals/interval.ts';
import type { Estimate } from '../estimate.ts';

export const missing = '–';

/** Never "-0.000": a value that rounds to zero loses its sign. */
export function decimals(value: number, digits = 3): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** A p-value; one that would round to zero is shown as `< 0.0001`. */
export const pText = (p: number | null): string => (p === null ? missing : p < 0.0001 ? '< 0.0001' : p.toFixed(4));

export const aslText = (estimate: Estimate | null): string => (estimate === null ? missing : decimals(estimate.value));

export const three = (value: number | null | undefined): string => (value == null ? missing : value.toFixed(3));

/**
 * A percentage with one decimal. One that is less than 0.1 from 0 or 100 gets as many as tell it apart: `0.05`,
 * `99.95`.
 */
export function percentNumber(percent: number): string {
  const apart = Number(Math.min(Math.abs(percent), Math.abs(100 - percent)).toFixed(9));
  return halvesUp(percent, apart === 0 ? 1 : Math.max(1, Math.ceil(-Math.log10(apart))));
}

/** The end of an interval: unlike a value, it may read as 0.0 or 100.0. */
export const percentEnd = (percent: number): string => halvesUp(percent, 1);

/** Halves are rounded away from 0, also those that arithmetic misses by a little, so that all tables say the same. */
function halvesUp(value: number, digits: number): string {
  const steps = Math.round(Number((Math.abs(value) * 10 ** digits).toPrecision(12)));
  return decimals((Math.sign(value) * steps) / 10 ** digits, digits);
}

export const shareText = (share: number | null): string =>
  share === null ? missing : `${percentNumber(100 * share)} %`;

export const countText = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** USD with cents; sums below $0.10 with two significant digits, so that only 0 is `$0.00`. */
export const usdText = (usd: number): string => `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : twoDigits.format(usd)}`;
/** Like `usdText`, but never less than the amount: for a maximum. */
export const usdTextUp = (usd: number): string =>
  usd === 0 || usd >= 0.1 ? `$${(Math.ceil(usd * 100 - 1e-7) / 100).toFixed(2)}` : `$${twoDigitsUp.format(usd)}`;
/** `toPrecision` writes a millionth of a dollar with an exponent. */
const twoDigits = new Intl.NumberFormat('en-US', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
const twoDigitsUp = new Intl.NumberFormat('en-US', {
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
  roundingMode: 'ceil',
});

/** An ISO 8601 time as "2026-11-20 20:00 UTC"; any other text unchanged. */
export function timeText(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const levelText = (level: number): string => confidenceText(level, 4);

export function intervalText(interval: Interval | null, number: (value: number) => string): string {
  return interval === null ? missing : `${number(interval.lo)} – ${number(interval.hi)}`;
}
