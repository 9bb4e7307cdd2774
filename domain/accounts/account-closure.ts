/** An account that its endpoint has closed: until when, why, and the longest closure that is accepted. */

/** No call starts from `sinceMs` until `untilMs`, Unix milliseconds. */
export interface Closure {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** What the endpoint said. */
  readonly why: string;
}

/** The longest time that an endpoint may close the account; default a quarter of an hour. */
export interface ClosureCap {
  readonly maxClosedMs?: number | undefined;
}

const defaultMaxClosedMs = 15 * 60_000;
export const longestClosedMs = ({ maxClosedMs = defaultMaxClosedMs }: ClosureCap): number => maxClosedMs;

/**
 * Milliseconds until the account opens. A closure that starts in the future, or lasts too long, comes from a clock that
 * was set back, and is ignored or shortened.
 */
export function closedFor(closed: Closure | null, cap: ClosureCap, nowMs: number): number {
  if (closed === null || closed.sinceMs > nowMs + 1_000) return 0;
  return Math.max(0, Math.min(closed.untilMs, closed.sinceMs + longestClosedMs(cap)) - nowMs);
}

/** Whichever closure ends later: the previous or the new one. */
export function closedBy(
  before: Closure | null,
  cap: ClosureCap,
  forMs: number,
  why: string,
  nowMs: number,
): Closure | null {
  const untilMs = nowMs + Math.min(forMs, longestClosedMs(cap));
  return untilMs > nowMs + closedFor(before, cap, nowMs) ? { sinceMs: nowMs, untilMs, why } : before;
}
