/** A value with its interval; tables store it in three columns: NAME, NAME_lo, NAME_hi. */
import { numberOrNull } from '../domain/metrics/row-order.ts';
import type { Interval } from '../domain/statistics/intervals/interval.ts';
import type { Row } from '../schemas/tables.ts';

export interface Estimate {
  readonly value: number;
  /** Null if no interval could be computed. */
  readonly interval: Interval | null;
}

/** Null if the value is null. */
export function estimateOf(row: Row, column: string): Estimate | null {
  const value = numberOrNull(row, column);
  const lo = numberOrNull(row, `${column}_lo`);
  const hi = numberOrNull(row, `${column}_hi`);
  return value === null ? null : { value, interval: lo === null || hi === null ? null : { lo, hi } };
}
