/** What an account allows at the moment. Pure, without clock or file, so that one process and many share its rules. */
import { type Closure, type ClosureCap, closedBy, closedFor } from './account-closure.ts';
import type { Allowances } from './allowance.ts';
import { type AllowanceLeft, allowanceWait, noteAllowances, takeAllowance } from './allowance-left.ts';
import { countInDay, type DayCount, dayWait } from './day-count.ts';
import { type Holder, leavesNextPlace } from './fair-places.ts';
import {
  joinStarts,
  type LearnedLimit,
  newLearnedLimit,
  noteAnswer,
  noteRefusal,
  noteStart,
  paceAt,
  tryWait,
  unnoteStart,
} from './learned-limit.ts';
import {
  allowedNow,
  crowdWait,
  type LearnedPlaces,
  newLearnedPlaces,
  noteCrowd,
  noteCrowdTry,
  noteProven,
  type PlaceLimits,
} from './learned-places.ts';
import {
  type Bucket,
  bucketWait,
  paceRate,
  type Rate,
  refilled,
  requestRate,
  take,
  tokenRate,
} from './token-bucket.ts';

export interface AccountLimits extends PlaceLimits, ClosureCap {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly requestsPerDay?: number | undefined;
  readonly tokensPerDay?: number | undefined;
  /** Calls are answered within this process: refusals are simulated, so nothing is learned from them. */
  readonly endless?: boolean;
}

/** Changed in place by the functions below. Times are Unix milliseconds. */
export interface AccountState extends LearnedPlaces {
  /** The account, for people; absent in states stored by older programs. */
  name?: { readonly endpoint: string; readonly keyVariable: string | null };
  requests: Bucket | null;
  tokens: Bucket | null;
  /** Enforces the learned pace. */
  pace: Bucket | null;
  /** Retry-After. */
  closed: Closure | null;
  learned: LearnedLimit;
  /** What is left of the endpoint's limits according to its headers. */
  left: AllowanceLeft;
  /** Calls in flight by process. */
  holders: Record<string, Holder>;
  /** What limits per day count; absent until a spec states one. */
  day?: { requests: DayCount; tokens: DayCount };
  /** Set while a limit per day is used up. */
  dayFull?: { readonly untilMs: number; readonly why: string } | null;
}

export const newAccountState = (): AccountState => ({
  ...newLearnedPlaces(),
  requests: null,
  tokens: null,
  pace: null,
  closed: null,
  learned: newLearnedLimit(),
  left: {},
  holders: {},
});

/** Facts recorded when a call started. */
export interface Started {
  readonly atMs: number;
  /** Calls in flight, including this one. */
  readonly inFlight: number;
  /** Tokens charged in advance. */
  readonly tokens: number;
}

/** How a call that had a place ended. */
export interface Settlement {
  readonly started: Started;
  /** Tokens that it used; null if unknown, and then the advance charge stays. */
  readonly tokens: number | null;
  /** False if no request was sent after all. */
  readonly sent: boolean;
  /** Whether the endpoint refused it because of too many calls; null if it neither answered nor refused. */
  readonly refused: boolean | null;
  readonly retryAfterMs: number | null;
  /** The endpoint's reason, if it closes the account. */
  readonly why: string;
  readonly allowances: Allowances;
}

/** Polling interval while all places are taken, milliseconds: another process may free one without notice. */
const placePollMs = 100;

/** Starts a call for `holder`, or returns the milliseconds to wait before trying again. */
export function admit(
  state: AccountState,
  limits: AccountLimits,
  holder: string,
  tokens: number,
  nowMs: number,
): Started | number {
  const closedMs = closedFor(state.closed, limits, nowMs);
  if (closedMs === 0) state.closed = null;
  const isCrowded = !hasPlace(state, limits, holder, nowMs);
  if (isCrowded)
    state.holders[holder] = { inFlight: state.holders[holder]?.inFlight ?? 0, seenAtMs: nowMs, wantsAtMs: nowMs };
  const waitMs = Math.max(
    closedMs,
    tryWait(state.learned, nowMs),
    isCrowded ? placePollMs : 0,
    crowdWait(state, nowMs),
    dayLimitWait(state, limits, tokens, nowMs),
    allowanceWait(state.left, 'requests', 1, nowMs),
    allowanceWait(state.left, 'tokens', tokens, nowMs),
    waitFor(state, 'requests', requestRate(limits.requestsPerMinute), 1, nowMs),
    waitFor(state, 'tokens', tokenRate(limits.tokensPerMinute), tokens, nowMs),
    waitFor(state, 'pace', paceRate(paceAt(state.learned, nowMs)), 1, nowMs),
  );
  if (waitMs > 0) return waitMs;
  take(state.requests, 1);
  take(state.tokens, tokens);
  countDay(state, limits, 1, tokens, nowMs);
  take(state.pace, 1);
  takeAllowance(state.left, tokens);
  noteCrowdTry(state, nowMs);
  if (!limits.endless) noteStart(state.learned, nowMs);
  state.holders[holder] = { inFlight: (state.holders[holder]?.inFlight ?? 0) + 1, seenAtMs: nowMs };
  return { atMs: nowMs, inFlight: inFlight(state), tokens };
}

/**
 * Frees the place and learns from the call: its actual tokens, a closure, a slower pace, more or fewer calls at a time.
 */
export function settle(
  state: AccountState,
  limits: AccountLimits,
  holder: string,
  call: Settlement,
  nowMs: number,
): void {
  const left = (state.holders[holder]?.inFlight ?? 1) - 1;
  if (left > 0) state.holders[holder] = { ...state.holders[holder], inFlight: left, seenAtMs: nowMs };
  else delete state.holders[holder];
  const { started } = call;
  if (!call.sent) {
    take(state.requests, -1);
    take(state.pace, -1);
    countDay(state, limits, -1, 0, nowMs);
    unnoteStart(state.learned, started.atMs);
  }
  if (call.tokens !== null) {
    take(state.tokens, call.tokens - started.tokens);
    countDay(state, limits, 0, call.tokens - started.tokens, nowMs);
  }
  if (call.retryAfterMs !== null) state.closed = closedBy(state.closed, limits, call.retryAfterMs, call.why, nowMs);
  if (limits.endless) return;
  if (call.refused === true) noteTooMany(state, started, nowMs);
  if (call.refused === false) {
    noteAnswer(state.learned, started.atMs, nowMs);
    noteProven(state, limits, started, nowMs);
  }
  noteAllowances(state.left, call.allowances, inFlight(state), nowMs);
}

const hasDayLimit = ({ requestsPerDay, tokensPerDay }: AccountLimits): boolean =>
  requestsPerDay !== undefined || tokensPerDay !== undefined;

/** Milliseconds until a call fits the limits per day; notes for people while it does not. */
function dayLimitWait(state: AccountState, limits: AccountLimits, tokens: number, nowMs: number): number {
  if (!hasDayLimit(limits)) return 0;
  const { requestsPerDay, tokensPerDay } = limits;
  const requestsMs = dayWait(state.day?.requests ?? {}, requestsPerDay, 1, nowMs);
  const tokensMs = dayWait(state.day?.tokens ?? {}, tokensPerDay, tokens, nowMs);
  const why = requestsMs >= tokensMs ? `the spec's ${requestsPerDay} requests` : `the spec's ${tokensPerDay} tokens`;
  const waitMs = Math.max(requestsMs, tokensMs);
  state.dayFull = waitMs === 0 ? null : { untilMs: nowMs + waitMs, why: `${why} per day are used up` };
  return waitMs;
}

function countDay(state: AccountState, limits: AccountLimits, requests: number, tokens: number, nowMs: number): void {
  if (!hasDayLimit(limits)) return;
  state.day = {
    requests: countInDay(state.day?.requests ?? {}, requests, nowMs),
    tokens: countInDay(state.day?.tokens ?? {}, tokens, nowMs),
  };
}

const inFlight = (state: AccountState): number =>
  Object.values(state.holders).reduce((sum, holder) => sum + holder.inFlight, 0);

/** Decides whether a refusal is about the number of calls in flight or about their rate. */
function noteTooMany(state: AccountState, started: Started, nowMs: number): void {
  const { learned } = state;
  if (!learned.chance && noteCrowd(state, started, inFlight(state), nowMs)) {
    unnoteStart(learned, started.atMs);
    return;
  }
  const wasByChance = Boolean(learned.chance);
  noteRefusal(learned, started.atMs, nowMs);
  if (learned.chance && !wasByChance) state.crowded = null;
}

function hasPlace(state: AccountState, limits: AccountLimits, holder: string, nowMs: number): boolean {
  const allowed = allowedNow(state, limits);
  const places = limits.unstated ? allowed : Math.min(allowed, limits.concurrency);
  if (inFlight(state) >= allowed || leavesNextPlace(state.holders, holder, places, nowMs)) return false;
  return (limits.unstated ? (state.holders[holder]?.inFlight ?? 0) : inFlight(state)) < limits.concurrency;
}

/**
 * Opens an account that an endpoint has closed, and forgets everything learned from its refusals. What limits per day
 * have counted stays: they are the user's own.
 */
export function openAccount(state: AccountState): void {
  const fresh = newAccountState();
  state.closed = fresh.closed;
  state.learned = fresh.learned;
  state.left = fresh.left;
  state.allowed = fresh.allowed;
  state.crowded = fresh.crowded;
}

/** Why no call starts, and until when. */
export interface ClosedAccount {
  readonly endpoint: string;
  readonly keyVariable: string | null;
  readonly untilMs: number;
  readonly why: string;
}

/** Shorter closures end before a person has read about them. */
const shortestToldMs = 2_000;

/** Null for an account that is open or opens in a moment. */
export function closedAccount(state: AccountState, cap: ClosureCap, nowMs: number): ClosedAccount | null {
  const saidMs = closedFor(state.closed, cap, nowMs);
  const foundMs = tryWait(state.learned, nowMs);
  const dayMs = (state.dayFull?.untilMs ?? 0) - nowMs;
  if (Math.max(saidMs, foundMs, dayMs) < shortestToldMs || state.name === undefined) return null;
  const { endpoint, keyVariable } = state.name;
  if (state.dayFull && dayMs >= Math.max(saidMs, foundMs))
    return { endpoint, keyVariable, untilMs: state.dayFull.untilMs, why: state.dayFull.why };
  const why =
    saidMs >= foundMs ? (state.closed?.why ?? '') : 'the endpoint refuses all calls and does not say for how long';
  return { endpoint, keyVariable, untilMs: nowMs + Math.max(saidMs, foundMs), why };
}

/** Whether the endpoint limits calls, so that all processes must act together. */
export const isTight = ({ learned, closed, crowded }: AccountState): boolean =>
  learned.pace !== null || Boolean(learned.chance) || closed !== null || crowded !== null;

/** Merges into the shared state what a process has changed in its own copy since `before`. */
export function joinState(shared: AccountState, own: AccountState, before: AccountState, holder: string): void {
  const mine = own.holders[holder];
  if (mine) shared.holders[holder] = mine;
  else delete shared.holders[holder];
  joinStarts(shared.learned, own.learned, before.learned);
  shared.proven = Math.max(shared.proven, own.proven);
  shared.allowed = shared.crowded ? shared.allowed : (own.allowed ?? shared.allowed);
  shared.crowded ??= own.crowded;
  shared.closed ??= own.closed;
  shared.learned.pace ??= own.learned.pace;
  shared.learned.closed ??= own.learned.closed;
  shared.learned.doubted ||= own.learned.doubted;
}

/** Refills the bucket and returns the milliseconds until `cost` can be taken. */
function waitFor(
  state: AccountState,
  name: 'requests' | 'tokens' | 'pace',
  rate: Rate | null,
  cost: number,
  nowMs: number,
): number {
  if (rate === null) {
    state[name] = null;
    return 0;
  }
  const bucket = refilled(state[name], rate, nowMs);
  state[name] = bucket;
  return bucketWait(bucket, rate, cost);
}
