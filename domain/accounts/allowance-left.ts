/** What is left of an endpoint's limits according to its headers, reduced by every later call. */
import { type ClosureCap, longestClosedMs } from './account-closure.ts';
import { type AllowanceName, allowanceNames, type Allowances } from './allowance.ts';
import { type Cost, type Unit, unitWords } from './counted-units.ts';
import type { Wait } from './stated-limits.ts';

interface Left {
  count: number;
  untilMs: number;
  /** When the endpoint said it; absent in states of older programs. */
  atMs?: number;
  /** It is renewed later than `untilMs`; then a single call tests it. */
  isLonger?: boolean;
  /** What it is once it is renewed. */
  limit?: number;
}

/** Changed in place. `untilMs` is a Unix time. */
export type AllowanceLeft = Partial<Record<AllowanceName, Left>>;

/**
 * A header counts for at most this long before a call tests it: for many endpoints the renewal is the time until all is
 * renewed, and the next request fits much earlier.
 */
const longestAllowanceMs = 60_000;

/**
 * The endpoint may not have counted calls in flight yet, so they are subtracted.
 * @param cost what was charged for this call, as an example of those in flight
 */
export function noteAllowances(
  left: AllowanceLeft,
  said: Allowances,
  cap: ClosureCap,
  { cost, inFlight }: { readonly cost: Cost; readonly inFlight: number },
  nowMs: number,
): void {
  for (const name of namesIn(said)) {
    const allowance = said[name];
    if (allowance === undefined) continue;
    const count = allowance.remaining - inFlight * cost[unitOf(name)];
    const mostMs = isOfDay(name) ? longestClosedMs(cap) : longestAllowanceMs;
    const isLonger = allowance.resetMs > mostMs;
    const { limit } = allowance;
    left[name] = {
      ...{ count, untilMs: nowMs + Math.min(mostMs, allowance.resetMs), atMs: nowMs, isLonger },
      ...(limit !== undefined && { limit }),
    };
  }
}

export function takeAllowance(left: AllowanceLeft, cost: Cost): void {
  for (const name of namesIn(left)) {
    const own = left[name];
    if (own) own.count -= cost[unitOf(name)];
  }
}

/** Milliseconds until the allowances that do not cover the call are renewed or tested, and the longest in words. */
export function allowanceWait(left: AllowanceLeft, cap: ClosureCap, cost: Cost, nowMs: number): Wait {
  let longest: Wait = { waitMs: 0, why: '' };
  for (const name of namesIn(left)) {
    const waitMs = waitOf(left, name, cap, cost, nowMs);
    if (waitMs > longest.waitMs) longest = { waitMs, why: spentText(name) };
  }
  return longest;
}

function waitOf(left: AllowanceLeft, name: AllowanceName, cap: ClosureCap, cost: Cost, nowMs: number): number {
  const own = left[name];
  const needed = cost[unitOf(name)];
  if (own === undefined || own.count >= needed) return 0;
  const mostMs = isOfDay(name) ? longestClosedMs(cap) : longestAllowanceMs;
  const waitMs = own.untilMs - nowMs;
  // A clock that was set back must not keep calls waiting.
  if (waitMs > 0 && waitMs <= mostMs) return waitMs;
  if (own.isLonger) left[name] = { ...own, count: needed, untilMs: nowMs + mostMs };
  else if (own.limit !== undefined && own.limit >= needed)
    left[name] = { ...own, count: own.limit, untilMs: nowMs + mostMs };
  else delete left[name];
  return 0;
}

/** Takes over what another process was told later, and since `before`. */
export function joinAllowances(shared: AllowanceLeft, own: AllowanceLeft, before: AllowanceLeft): void {
  for (const name of allowanceNames) {
    const mine = own[name];
    if (mine && mine.atMs !== before[name]?.atMs && (mine.atMs ?? 0) > (shared[name]?.atMs ?? -1))
      shared[name] = { ...mine };
  }
}

/** Whether so much is used that all processes must count together. */
export const isShort = (left: AllowanceLeft): boolean =>
  allowanceNames.some((name) => {
    const own = left[name];
    return own !== undefined && own.count < (own.limit ?? Infinity) / 2;
  });

/** A day that is used up according to the headers. */
export function dayLeft(left: AllowanceLeft, nowMs: number): { readonly untilMs: number; readonly why: string } | null {
  const used = allowanceNames.flatMap((name) => {
    const own = left[name];
    return own && isOfDay(name) && own.count < 1 && own.untilMs > nowMs ? [{ ...own, why: spentText(name) }] : [];
  });
  const [last] = used.toSorted((a, b) => b.untilMs - a.untilMs);
  return last === undefined ? null : { untilMs: last.untilMs, why: last.why };
}

/** Mostly none: an endpoint without such headers costs nothing here. */
const namesIn = (some: AllowanceLeft | Allowances): readonly AllowanceName[] => Object.keys(some) as AllowanceName[];

const isOfDay = (name: AllowanceName): boolean => name === 'requestsOfDay' || name === 'tokensOfDay';

function unitOf(name: AllowanceName): Unit {
  if (name === 'requestsOfDay') return 'requests';
  return name === 'tokensOfDay' ? 'tokens' : name;
}

const spentText = (name: AllowanceName): string =>
  `the endpoint's headers say that its ${unitWords[unitOf(name)]}${isOfDay(name) ? ' of the day' : ''} are used up`;
