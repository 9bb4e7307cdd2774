/** What an endpoint's headers said is left of its limits, counted down by the calls that follow. */
import type { Allowances } from './allowance.ts';

/** Changed in place. `untilMs` is a Unix time. */
export type AllowanceLeft = Partial<Record<keyof Allowances, { count: number; untilMs: number }>>;

/** What a header says is left is believed for so long at most: for some endpoints it is about a day. */
const longestAllowanceMs = 60_000;

/** Of what is left by the endpoint's word, calls in flight may not be counted yet. */
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

/** Milliseconds until there is more than is left, where `cost` is more. */
export function allowanceWait(left: AllowanceLeft, kind: keyof Allowances, cost: number, nowMs: number): number {
  const own = left[kind];
  if (own === undefined || own.count >= cost) return 0;
  const waitMs = own.untilMs - nowMs;
  if (waitMs > 0 && waitMs <= longestAllowanceMs) return waitMs;
  delete left[kind];
  return 0;
}
