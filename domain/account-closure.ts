/** An account that its endpoint has closed: until when, why, and how long such a word is believed. */

/** No call starts from `sinceMs` until `untilMs`, Unix milliseconds. */
export interface Closure {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** What the endpoint said. */
  readonly why: string;
}

/** The longest that an endpoint may close the account for; a quarter of an hour where it is absent. */
export interface ClosureCap {
  readonly maxClosedMs?: number | undefined;
}

const defaultMaxClosedMs = 15 * 60_000;
const longest = ({ maxClosedMs = defaultMaxClosedMs }: ClosureCap): number => maxClosedMs;

/** Milliseconds that the account is still closed for. One that closes later than now, or for too long, is the work of a clock that was set back. */
export function closedFor(closed: Closure | null, cap: ClosureCap, nowMs: number): number {
  if (closed === null || closed.sinceMs > nowMs + 1_000) return 0;
  return Math.max(0, Math.min(closed.untilMs, closed.sinceMs + longest(cap)) - nowMs);
}

/** The later of what was said before and now. */
export function closedBy(before: Closure | null, cap: ClosureCap, forMs: number, why: string, nowMs: number): Closure | null {
  const untilMs = nowMs + Math.min(forMs, longest(cap));
  return untilMs > nowMs + closedFor(before, cap, nowMs) ? { sinceMs: nowMs, untilMs, why } : before;
}
