/** What an account allows at the moment. Pure, without clock or file, so that one process and many share its rules. */
import { type Closure, type ClosureCap, closedBy, closedFor } from './account-closure.ts';
import type { Allowances } from './allowance.ts';
import {
  type AllowanceLeft,
  allowanceWait,
  dayLeft,
  isShort,
  joinAllowances,
  noteAllowances,
  takeAllowance,
} from './allowance-left.ts';
import { counted } from '../counted.ts';
import { type Cost, costOf, noTokens, type Tokens } from './counted-units.ts';
import { callsOf, hasLessThanItsShare, type Holder, leavesNextPlace } from './fair-places.ts';
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
import { type Slowed, slowedBy } from './slowed-account.ts';
import { dayLimitWait, minuteWait, type StatedLimits, type StatedUse, takeStated, type Wait } from './stated-limits.ts';
import { type Bucket, bucketWait, paceRate, refilled, take } from './token-bucket.ts';

export interface AccountLimits extends PlaceLimits, ClosureCap, StatedLimits {
  /** Calls are answered within this process: refusals are simulated, so nothing is learned from them. */
  readonly endless?: boolean;
}

/** Changed in place by the functions below. Times are Unix milliseconds. */
export interface AccountState extends LearnedPlaces, StatedUse {
  /** The account, for people; absent in states stored by older programs. */
  name?: { readonly endpoint: string; readonly keyVariable: string | null };
  /** Enforces the learned pace. */
  pace: Bucket | null;
  /** Retry-After. */
  closed: Closure | null;
  learned: LearnedLimit;
  /** What is left of the endpoint's limits according to its headers. */
  left: AllowanceLeft;
  /** Calls in flight by process. */
  holders: Record<string, Holder>;
  /** The limit that calls last waited for, in words; absent while they never waited. */
  slowed?: Slowed;
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
  readonly tokens: Tokens;
}

/** How a call that had a place ended. */
export interface Settlement {
  readonly started: Started;
  /** Tokens that it used; where they are unknown, null, the advance charge stays. */
  readonly tokens: { readonly [Part in keyof Tokens]: number | null } | null;
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
  tokens: Tokens,
  nowMs: number,
): Started | number {
  const cost = costOf(1, tokens);
  const waitMs = waitBefore(state, limits, holder, cost, nowMs);
  if (waitMs > 0) return waitMs;
  takeStated(state, limits, cost, nowMs);
  take(state.pace, 1);
  takeAllowance(state.left, cost);
  noteCrowdTry(state, nowMs);
  if (!limits.endless) noteStart(state.learned, nowMs);
  state.holders[holder] = { inFlight: (state.holders[holder]?.inFlight ?? 0) + 1, seenAtMs: nowMs };
  return { atMs: nowMs, inFlight: inFlight(state), tokens };
}

function waitBefore(state: AccountState, limits: AccountLimits, holder: string, cost: Cost, nowMs: number): number {
  const closedMs = closedFor(state.closed, limits, nowMs);
  if (closedMs === 0) state.closed = null;
  const isCrowded = !hasPlace(state, limits, holder, nowMs);
  if (isCrowded)
    state.holders[holder] = { inFlight: state.holders[holder]?.inFlight ?? 0, seenAtMs: nowMs, wantsAtMs: nowMs };
  const slow = longest([
    allowanceWait(state.left, limits, cost, nowMs),
    minuteWait(state, limits, cost, nowMs),
    paceWait(state, nowMs),
  ]);
  const otherMs = Math.max(
    closedMs,
    tryWait(state.learned, nowMs),
    isCrowded ? placePollMs : 0,
    crowdWait(state, nowMs),
    dayLimitWait(state, limits, cost, nowMs),
  );
  if (slow.waitMs > otherMs) state.slowed = slowedBy(slow, nowMs);
  else if (isCrowded && !limits.unstated && hasLessThanItsShare(state.holders, holder, limits.concurrency))
    state.slowed = slowedBy({ waitMs: placePollMs, why: placesText(state, limits, holder) }, nowMs);
  return Math.max(slow.waitMs, otherMs);
}

const placesText = ({ holders }: AccountState, { concurrency }: AccountLimits, holder: string): string => {
  const others = callsOf(holders) - (holders[holder]?.inFlight ?? 0);
  return `${counted(concurrency, 'call')} at a time, while other commands and workers have ${others} in flight`;
};

const longest = (waits: readonly [Wait, ...Wait[]]): Wait =>
  waits.reduce((most, wait) => (wait.waitMs > most.waitMs ? wait : most));

/** Waits for the pace that was learned from refusals. */
function paceWait(state: AccountState, nowMs: number): Wait {
  const perSecond = paceAt(state.learned, nowMs);
  const rate = paceRate(perSecond);
  state.pace = rate === null ? null : refilled(state.pace, rate, nowMs);
  if (state.pace === null || rate === null || perSecond === null) return { waitMs: 0, why: '' };
  const perMinute = 60 * perSecond;
  const rateText = perMinute < 10 ? perMinute.toFixed(1) : perMinute.toFixed(0);
  const why = `${rateText} requests per minute, as many as the endpoint was found to accept`;
  return { waitMs: bucketWait(state.pace, rate, 1), why };
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
    takeStated(state, limits, costOf(-1, noTokens), nowMs);
    take(state.pace, -1);
    unnoteStart(state.learned, started.atMs);
  }
  const { tokens: used } = call;
  if (used !== null) {
    const more = (part: keyof Tokens): number => (used[part] ?? started.tokens[part]) - started.tokens[part];
    takeStated(state, limits, costOf(0, { input: more('input'), output: more('output') }), nowMs);
  }
  if (call.retryAfterMs !== null) state.closed = closedBy(state.closed, limits, call.retryAfterMs, call.why, nowMs);
  if (limits.endless) return;
  if (call.refused === true) noteTooMany(state, started, nowMs);
  if (call.refused === false) {
    noteAnswer(state.learned, started.atMs, nowMs);
    noteProven(state, limits, started, nowMs);
  }
  const inFlightNow = { cost: costOf(1, started.tokens), inFlight: inFlight(state) };
  noteAllowances(state.left, call.allowances, limits, inFlightNow, nowMs);
}

const inFlight = ({ holders }: AccountState): number => callsOf(holders);

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
  /** Where the reason is a limit that a spec states: nothing but a larger one opens the account sooner. */
  readonly isOwnLimit?: true;
}

/** Whom it is shown to: a run without limits per day does not keep those of other runs. */
export interface ShownTo extends ClosureCap {
  readonly hasDayLimit?: boolean;
}

/** Shorter closures end before a person has read about them. */
const shortestToldMs = 2_000;

/** Null for an account that is open or opens in a moment. */
export function closedAccount(state: AccountState, cap: ShownTo, nowMs: number): ClosedAccount | null {
  const { name } = state;
  const ownLimit = cap.hasDayLimit === false || !state.dayFull ? [] : [{ ...state.dayFull, isOwnLimit: true as const }];
  if (name === undefined) return null;
  const untilOf = (waitMs: number): number => nowMs + waitMs;
  const [last] = [
    { untilMs: untilOf(closedFor(state.closed, cap, nowMs)), why: state.closed?.why ?? '' },
    {
      untilMs: untilOf(tryWait(state.learned, nowMs)),
      why: 'the endpoint refuses all calls and does not say for how long',
    },
    ...ownLimit,
    ...[dayLeft(state.left, nowMs) ?? []].flat(),
  ].toSorted((a, b) => b.untilMs - a.untilMs);
  return last === undefined || last.untilMs - nowMs < shortestToldMs ? null : { ...name, ...last };
}

/** Whether the endpoint limits calls, so that all processes must act together. */
export const isTight = ({ learned, closed, crowded, left }: AccountState): boolean =>
  isShort(left) || learned.pace !== null || Boolean(learned.chance) || closed !== null || crowded !== null;

/**
 * Merges into the shared state what a process has changed in its own copy since `before`. What it has only kept stays
 * out: another process, or a person, may have ended it since.
 */
export function joinState(shared: AccountState, own: AccountState, before: AccountState, holder: string): void {
  const mine = own.holders[holder];
  if (mine) shared.holders[holder] = mine;
  else delete shared.holders[holder];
  joinAllowances(shared.left, own.left, before.left);
  joinStarts(shared.learned, own.learned, before.learned);
  shared.proven = Math.max(shared.proven, own.proven);
  joinPlaces(shared, own, before);
  shared.closed ??= changed(own.closed, before.closed);
  shared.learned.pace ??= changed(own.learned.pace, before.learned.pace);
  shared.learned.closed ??= changed(own.learned.closed, before.learned.closed);
  shared.learned.doubted ||= own.learned.doubted && !before.learned.doubted;
}

/** Only a crowd lowers the number of places. */
function joinPlaces(shared: AccountState, own: AccountState, before: AccountState): void {
  if (shared.crowded) return;
  shared.crowded = changed(own.crowded, before.crowded);
  if (shared.crowded) shared.allowed = own.allowed;
  else if (own.allowed !== null && own.allowed !== before.allowed)
    shared.allowed = Math.max(shared.allowed ?? 0, own.allowed);
}

/** Null if it is as before. Both are copies of one state, so equal values have equal texts. */
const changed = <T>(own: T | null, before: T | null): T | null =>
  JSON.stringify(own) === JSON.stringify(before) ? null : own;
