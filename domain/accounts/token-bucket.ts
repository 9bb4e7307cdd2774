/** A token bucket. Its level may fall below zero: a debt, which is paid by what flows in. */

/** Changed in place. `level` may be taken at once; less than zero is a debt. */
export interface Bucket {
  level: number;
  atMs: number;
}

/** A bucket's size, and what flows in per millisecond. */
export interface Rate {
  readonly size: number;
  readonly perMs: number;
}

export function take(bucket: Bucket | null, count: number): void {
  if (bucket) bucket.level -= count;
}

/** What the bucket holds now; a new one is full. */
export function refilled(bucket: Bucket | null, { size, perMs }: Rate, nowMs: number): Bucket {
  const { level, atMs } = bucket ?? { level: size, atMs: nowMs };
  return { level: Math.min(size, level + Math.max(0, nowMs - atMs) * perMs), atMs: nowMs };
}

/** Milliseconds until `cost` can be taken, or until the bucket is full if `cost` is larger than it. */
export function bucketWait({ level }: Bucket, { size, perMs }: Rate, cost: number): number {
  const missing = Math.min(cost, size) - level;
  return missing <= 0 ? 0 : Math.ceil(missing / perMs);
}

const minuteMs = 60_000;
/** One request may reach the endpoint this much later than its place was given, and the next one at once. */
const underWayMs = 1_500;

/**
 * A full bucket, plus the inflow of a minute and of requests under way, exceeds the limit by less than one request. So
 * no minute, wherever it starts, has more.
 */
export function requestRate(perMinute: number | undefined): Rate | null {
  if (perMinute === undefined) return null;
  const size = Math.max(1, perMinute / 60);
  return { size, perMs: (perMinute + 1 - size) / (minuteMs + underWayMs) };
}

/** The same for tokens: a minute has at most one call's tokens above the limit. */
export function tokenRate(perMinute: number | undefined): Rate | null {
  return perMinute === undefined
    ? null
    : { size: perMinute / 60, perMs: (perMinute * 59) / 60 / (minuteMs + underWayMs) };
}

/** A rate for evenly spaced requests: at most a quarter of a second's requests at once. */
export const paceRate = (perSecond: number | null): Rate | null =>
  perSecond === null ? null : { size: Math.max(1, perSecond / 4), perMs: perSecond / 1000 };
