/** Numbers and times as readers see them. What is missing is a dash, never 0. */
import type { Interval } from '../../domain/statistics/interval.ts';
import type { Estimate } from '../estimate.ts';

export const missing = '–';

/** Without the sign of what rounds to zero. */
export function decimals(value: number, digits = 3): string {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace('-', '') : text;
}

/** A p-value; one that would round to zero is a bound. */
export const pText = (p: number | null): string => (p === null ? missing : p < 0.0001 ? '< 0.0001' : p.toFixed(4));

export const aslText = (estimate: Estimate | null): string => (estimate === null ? missing : decimals(estimate.value));

export const aslInterval = (estimate: Estimate | null): string => intervalText(estimate?.interval ?? null, (value) => decimals(value, 2));

export const three = (value: number | null | undefined): string => (value == null ? missing : value.toFixed(3));

export const shareText = (share: number | null): string => (share === null ? missing : `${(100 * share).toFixed(1)} %`);

export const shareInterval = (estimate: Estimate | null): string =>
  intervalText(estimate?.interval ?? null, (value) => (100 * value).toFixed(1));

export const countText = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** USD with cents, small sums with the digits that tell them from nothing. */
export const usdText = (usd: number): string => `$${usd === 0 || usd >= 1 ? usd.toFixed(2) : usd.toPrecision(2)}`;

/** "2026-11-20 20:00 UTC" of an ISO 8601 time; the text itself when it is none. */
export function timeText(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export const levelText = (level: number): string => `${Number((100 * level).toFixed(4))} %`;

export function intervalText(interval: Interval | null, number: (value: number) => string): string {
  return interval === null ? missing : `${number(interval.lo)} – ${number(interval.hi)}`;
}
