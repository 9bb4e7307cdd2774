import { estimated } from '../../../../analysis/report/cells.ts';
import type { DataCell } from '../../../../analysis/report/part.ts';
import type { Interval } from '../../../../domain/statistics/intervals/interval.ts';

/** One decimal where needed: tied models share the mean of their places. */
export const placeText = (place: number): string => String(Number(place.toFixed(1)));

/** A place with its interval under it. */
export const placeCell = (value: number, interval: Interval | null = null): DataCell =>
  estimated({ value, interval }, placeText);
