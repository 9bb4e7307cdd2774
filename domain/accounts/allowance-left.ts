/** What is left of an endpoint's limits according to its headers, reduced by every later call. */
import type { Allowances } from './allowance.ts';

/** Changed in place. `untilMs` is a Unix time. */
export type AllowanceLeft = Partial<Record<keyof Allowances, { count: number; untilMs: number }>>;

/** A header counts for at most this long, because some endpoints report limits per day. */
const longestAllowanceMs = 60_000;

/** The endpoint may not have counted calls in flight yet, so they are subtracted. */
export function noteAllowances(left: AllowanceLeft, said: Allowances, inFlight: number, nowMs: number): void {
  for (const kind of ['requests', 'tokens'] as const) {
    const allowance = said[kind];
    if (allowance === undefined) continue;
    const count = allowance.remaining - (kind === 'requests' ? inFlight : 0);
    left[kind] = { count, untilMs: nowMs + Math.min(longestAllowanceMs, allowance.resetMs) };
  }
}

export function takeAllowance(left: AllowanceLeft, tokens: number): void {
  if (left.requests) left.requests.count -= 1;
  if (left.tokens) left.tokens.count -= tokens;
}

/** Milliseconds until the allowance is renewed, if it does not cover `cost`; otherwise 0. */
export function allowanceWait(left: AllowanceLeft, kind: keyof Allowances, cost: number, nowMs: number): number {
  const own = left[kind];
  if (own === undefined || own.count >= cost) return 0;
  const waitMs = own.untilMs - nowMs;
  if (waitMs > 0 && waitMs <= longestAllowanceMs) return waitMs;
  delete left[kind];
  return 0;
}
