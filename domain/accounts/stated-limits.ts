/** The limits that a spec states, per minute and per day, of requests and tokens. */
import { type Cost, type Unit, units, unitWords } from './counted-units.ts';
import { countInDay, type DayCount, dayWait } from './day-count.ts';
import { type Bucket, bucketWait, type Rate, refilled, requestRate, take, tokenRate } from './token-bucket.ts';

/** All optional: what is absent has no limit. */
export type StatedLimits = { readonly [Name in LimitName]?: number | undefined };
type LimitName = `${Unit}PerMinute` | `${Unit}PerDay`;

/** Changed in place; a part of the account's state. Absent parts were never limited. */
export interface StatedUse {
  requests: Bucket | null;
  tokens: Bucket | null;
  inputTokens?: Bucket | null;
  outputTokens?: Bucket | null;
  /** What limits per day count. */
  day?: Partial<Record<Unit, DayCount>>;
  /** Set while a limit per day is used up. */
  dayFull?: { readonly untilMs: number; readonly why: string } | null;
}

// Read at every call.
const perMinuteKeys = {
  requests: 'requestsPerMinute',
  tokens: 'tokensPerMinute',
  inputTokens: 'inputTokensPerMinute',
  outputTokens: 'outputTokensPerMinute',
} as const satisfies Record<Unit, LimitName>;
const perDayKeys = {
  requests: 'requestsPerDay',
  tokens: 'tokensPerDay',
  inputTokens: 'inputTokensPerDay',
  outputTokens: 'outputTokensPerDay',
} as const satisfies Record<Unit, LimitName>;

/** Milliseconds to wait, and the limit that asks for it, in words. */
export interface Wait {
  readonly waitMs: number;
  readonly why: string;
}

/** Milliseconds until a call fits the limits per minute, and the one that it waits for longest. */
export function minuteWait(use: StatedUse, limits: StatedLimits, cost: Cost, nowMs: number): Wait {
  let longest: Wait = { waitMs: 0, why: '' };
  for (const unit of units) {
    const perMinute = limits[perMinuteKeys[unit]];
    const waitMs = bucketWaitOf(use, unit, rateOf(unit, perMinute), cost[unit], nowMs);
    if (waitMs > longest.waitMs) longest = { waitMs, why: `the spec's ${perMinute} ${unitWords[unit]} per minute` };
  }
  return longest;
}

const rateOf = (unit: Unit, perMinute: number | undefined): Rate | null =>
  unit === 'requests' ? requestRate(perMinute) : tokenRate(perMinute);

/** Refills the bucket and returns the milliseconds until `cost` can be taken. */
function bucketWaitOf(use: StatedUse, unit: Unit, rate: Rate | null, cost: number, nowMs: number): number {
  if (rate === null) {
    if (use[unit]) use[unit] = null;
    return 0;
  }
  const bucket = refilled(use[unit] ?? null, rate, nowMs);
  use[unit] = bucket;
  return bucketWait(bucket, rate, cost);
}

/** Milliseconds until a call fits the limits per day; notes for people while it does not. */
export function dayLimitWait(use: StatedUse, limits: StatedLimits, cost: Cost, nowMs: number): number {
  if (!hasDayLimit(limits)) return 0;
  let longest: Wait = { waitMs: 0, why: '' };
  for (const unit of units) {
    const perDay = limits[perDayKeys[unit]];
    const waitMs = dayWait(use.day?.[unit] ?? {}, perDay, cost[unit], nowMs);
    if (waitMs > longest.waitMs)
      longest = { waitMs, why: `the spec's ${perDay} ${unitWords[unit]} per day are used up` };
  }
  use.dayFull = longest.waitMs === 0 ? null : { untilMs: nowMs + longest.waitMs, why: longest.why };
  return longest.waitMs;
}

/** Takes from all buckets and counts in the day; a negative cost takes back. */
export function takeStated(use: StatedUse, limits: StatedLimits, cost: Cost, nowMs: number): void {
  for (const unit of units) take(use[unit] ?? null, cost[unit]);
  if (!hasDayLimit(limits)) return;
  const day: Partial<Record<Unit, DayCount>> = {};
  for (const unit of units) day[unit] = countInDay(use.day?.[unit] ?? {}, cost[unit], nowMs);
  use.day = day;
}

export const hasDayLimit = (limits: StatedLimits): boolean =>
  Object.values(perDayKeys).some((key) => limits[key] !== undefined);
