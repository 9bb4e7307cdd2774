/** A value with its interval, as a table holds it in three columns: NAME, NAME_lo, NAME_hi. */
import { numberOrNull } from '../domain/metrics/row-order.ts';
import type { Interval } from '../domain/statistics/interval.ts';
import type { Row } from '../schemas/tables.ts';

export interface Estimate {
  readonly value: number;
  /** Null where no interval could be made. */
  readonly interval: Interval | null;
}

/** Null where the value is. */
export function estimateOf(row: Row, column: string): Estimate | null {
  const value = numberOrNull(row, column);
  const lo = numberOrNull(row, `${column}_lo`);
  const hi = numberOrNull(row, `${column}_hi`);
  return value === null ? null : { value, interval: lo === null || hi === null ? null : { lo, hi } };
}
