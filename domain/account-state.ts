/** What an account allows just now. No clock and no file of its own, so that one process and many keep to the same rules. */
import type { Allowance, Allowances } from './allowance.ts';
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

export interface AccountLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Calls in flight at most. */
  readonly concurrency: number;
  /** Nobody has stated `concurrency`: it holds for each process, and the account begins with fewer calls. */
  readonly unstated?: boolean;
  /** Calls within this process: nothing is learned from refusals, which are simulated. */
  readonly endless?: boolean;
  /** The longest that an endpoint may close the account for. */
  readonly maxClosedMs?: number | undefined;
}

/** A token bucket: `level` may be taken at once, less than zero is a debt that refilling pays. */
interface Bucket {
  level: number;
  atMs: number;
}

/** No call starts from `sinceMs` until `untilMs`. */
export interface Closure {
  readonly sinceMs: number;
  readonly untilMs: number;
  /** What the endpoint said. */
  readonly why: string;
}

/** Changed in place by the functions below. Times are Unix milliseconds. */
export interface AccountState {
  /** Whose state it is, for people; absent in what older programs kept. */
  name?: { readonly endpoint: string; readonly keyVariable: string | null };
  requests: Bucket | null;
  tokens: Bucket | null;
  /** Paces what is learned. */
  pace: Bucket | null;
  /** Retry-After. */
  closed: Closure | null;
  learned: LearnedLimit;
  /** What the endpoint's headers say is left. */
  left: { requests?: { count: number; untilMs: number }; tokens?: { count: number; untilMs: number } };
  /** Calls in flight that the endpoint has been good for so far; null is as many as configured. */
  allowed: number | null;
  /** The most calls in flight of which the last was answered. */
  proven: number;
  /** When the endpoint last refused a call that may have been one too many in flight; null before. `doubted` until a later call is answered. */
  crowded: { readonly atMs: number; doubted: boolean } | null;
  /** When `allowed` was last raised. */
  raisedAtMs: number;
  /** Calls in flight by process. */
  holders: Record<string, Holder>;
}

export const newAccountState = (): AccountState => ({
  requests: null,
  tokens: null,
  pace: null,
  closed: null,
  learned: newLearnedLimit(),
  left: {},
  allowed: null,
  proven: 0,
  crowded: null,
  raisedAtMs: 0,
  holders: {},
});

/** What stood at its start. */
export interface Started {
  readonly atMs: number;
  /** Calls in flight with it. */
  readonly inFlight: number;
  /** Tokens that were counted. */
  readonly tokens: number;
}

/** How a call that had a place ended. */
export interface Settlement {
  readonly started: Started;
  /** Tokens that it took; null when nothing is known, so that the count stands. */
  readonly tokens: number | null;
  /** False when no request left after all. */
  readonly sent: boolean;
  /** Whether the endpoint refused it for being too many; null where it said neither. */
  readonly refused: boolean | null;
  readonly retryAfterMs: number | null;
  /** What the endpoint said, where it closes the account. */
  readonly why: string;
  readonly allowances: Allowances;
}

/** How soon to look again while all places are taken, milliseconds: another process may give one back unseen. */
const placePollMs = 100;
/** Calls in flight of an account about which nothing is known; answers allow more. */
const firstInFlight = 8;
const raisedPerSecond = 4;
const mostInFlight = 1024;
/** Answers before one more call in flight is tried, once a call was refused for their number. */
const answersPerTry = 300;
const defaultMaxClosedMs = 15 * 60_000;
/** What a header says is left is believed for so long at most: for some endpoints it is about a day. */
const longestAllowanceMs = 60_000;

/** The start of a call for `holder`, or how many milliseconds to wait before asking again. */
export function admit(state: AccountState, limits: AccountLimits, holder: string, tokens: number, nowMs: number): Started | number {
  const pace = paceAt(state.learned, nowMs);
  const closedMs = closedFor(state, limits, nowMs);
  if (closedMs === 0) state.closed = null;
  const isCrowded = !hasPlace(state, limits, holder, nowMs);
  if (isCrowded) state.holders[holder] = { inFlight: state.holders[holder]?.inFlight ?? 0, seenAtMs: nowMs, wantsAtMs: nowMs };
  const waitMs = Math.max(
    closedMs,
    tryWait(state.learned, nowMs),
    isCrowded ? placePollMs : 0,
    leftWait(state, 'requests', 1, nowMs),
    leftWait(state, 'tokens', tokens, nowMs),
    waitFor(state, 'requests', requestRate(limits), 1, nowMs),
    waitFor(state, 'tokens', tokenRate(limits), tokens, nowMs),
    waitFor(state, 'pace', pace === null ? null : { size: Math.max(1, pace / 4), perMs: pace / 1000 }, 1, nowMs),
  );
  if (waitMs > 0) return waitMs;
  take(state.requests, 1);
  take(state.tokens, tokens);
  take(state.pace, 1);
  if (state.left.requests) state.left.requests.count -= 1;
  if (state.left.tokens) state.left.tokens.count -= tokens;
  if (!limits.endless) noteStart(state.learned, nowMs);
  state.holders[holder] = { inFlight: (state.holders[holder]?.inFlight ?? 0) + 1, seenAtMs: nowMs };
  return { atMs: nowMs, inFlight: inFlight(state), tokens };
}

function take(bucket: Bucket | null, count: number): void {
  if (bucket) bucket.level -= count;
}

/** Gives the place back, and takes what the call has taught: its true tokens, a closed time, a slower pace, room for more or fewer at a time. */
export function settle(state: AccountState, limits: AccountLimits, holder: string, call: Settlement, nowMs: number): void {
  const left = (state.holders[holder]?.inFlight ?? 1) - 1;
  if (left > 0) state.holders[holder] = { ...state.holders[holder], inFlight: left, seenAtMs: nowMs };
  else delete state.holders[holder];
  const { started } = call;
  if (!call.sent) {
    take(state.requests, -1);
    take(state.pace, -1);
    unnoteStart(state.learned, started.atMs);
  }
  if (call.tokens !== null) take(state.tokens, call.tokens - started.tokens);
  if (call.retryAfterMs !== null) close(state, limits, call.retryAfterMs, call.why, nowMs);
  if (limits.endless) return;
  if (call.refused === true) noteTooMany(state, started, nowMs);
  if (call.refused === false) noteGood(state, limits, started, nowMs);
  noteAllowances(state, call.allowances, nowMs);
}

const inFlight = (state: AccountState): number => Object.values(state.holders).reduce((sum, holder) => sum + holder.inFlight, 0);

/**
 * A refusal among more calls than were ever answered may be about their number, and so may one among as many as are allowed since such a refusal. One
 * after it without an answer between, and any other, is about the rate.
 */
function noteTooMany(state: AccountState, started: Started, nowMs: number): void {
  const { crowded } = state;
  if (state.learned.chance) {
    noteRefusal(state.learned, started.atMs, nowMs);
    return;
  }
  const isSameBurst = crowded !== null && crowded.atMs <= nowMs && started.atMs <= crowded.atMs;
  const isTop = crowded !== null && !crowded.doubted && started.inFlight >= Math.floor(state.allowed ?? Infinity);
  if (isTop) state.proven = Math.min(state.proven, started.inFlight - 1);
  if (!isSameBurst && (started.inFlight <= state.proven || crowded?.doubted)) {
    noteRefusal(state.learned, started.atMs, nowMs);
    if (state.learned.chance) state.crowded = null;
    return;
  }
  unnoteStart(state.learned, started.atMs);
  state.allowed = Math.max(1, state.proven, inFlight(state));
  if (!isSameBurst) state.crowded = { atMs: nowMs, doubted: true };
}

function noteGood(state: AccountState, limits: AccountLimits, started: Started, nowMs: number): void {
  noteAnswer(state.learned, started.atMs, nowMs);
  if (state.crowded && started.atMs > state.crowded.atMs) state.crowded.doubted = false;
  state.proven = Math.max(state.proven, started.inFlight);
  raise(state, limits, nowMs);
}

function raise(state: AccountState, limits: AccountLimits, nowMs: number): void {
  const allowed = state.allowed ?? firstAllowed(limits);
  const raised = Math.max(state.proven, allowed + (state.crowded ? 1 / Math.max(allowed, answersPerTry) : raiseBy(state, nowMs)));
  const isFree = raised >= limits.concurrency && !limits.unstated;
  state.allowed = isFree ? null : Math.min(raised, mostInFlight);
  if (isFree) state.crowded = null;
  state.raisedAtMs = nowMs;
}

/** One for each answer, and no more in a second than an endpoint can be seen to mind. */
const raiseBy = ({ raisedAtMs }: AccountState, nowMs: number): number =>
  Math.min(1, (Math.max(0, nowMs - raisedAtMs) / 1000) * raisedPerSecond);

const firstAllowed = (limits: AccountLimits): number => (limits.unstated ? firstInFlight : limits.concurrency);

function hasPlace(state: AccountState, limits: AccountLimits, holder: string, nowMs: number): boolean {
  const allowed = Math.floor(state.allowed ?? firstAllowed(limits));
  const places = limits.unstated ? allowed : Math.min(allowed, limits.concurrency);
  if (inFlight(state) >= allowed || leavesNextPlace(state.holders, holder, places, nowMs)) return false;
  return (limits.unstated ? (state.holders[holder]?.inFlight ?? 0) : inFlight(state)) < limits.concurrency;
}

/** Milliseconds that the account is still closed for. One that closes later than now, or for too long, is the work of a clock that was set back. */
function closedFor({ closed }: Pick<AccountState, 'closed'>, limits: Pick<AccountLimits, 'maxClosedMs'>, nowMs: number): number {
  if (closed === null || closed.sinceMs > nowMs + 1_000) return 0;
  return Math.max(0, Math.min(closed.untilMs, closed.sinceMs + maxClosedMs(limits)) - nowMs);
}

const maxClosedMs = (limits: Pick<AccountLimits, 'maxClosedMs'>): number => limits.maxClosedMs ?? defaultMaxClosedMs;

function close(state: AccountState, limits: AccountLimits, forMs: number, why: string, nowMs: number): void {
  const untilMs = nowMs + Math.min(forMs, maxClosedMs(limits));
  if (untilMs > nowMs + closedFor(state, limits, nowMs)) state.closed = { sinceMs: nowMs, untilMs, why };
}

/** Opens an account that an endpoint has closed, and forgets what its refusals have taught. */
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

/** A closure that is over before a person has read of it. */
const shortestToldMs = 2_000;

/** Null for an account that is open, or is so in a moment. */
export function closedAccount(state: AccountState, limits: Pick<AccountLimits, 'maxClosedMs'>, nowMs: number): ClosedAccount | null {
  const saidMs = closedFor(state, limits, nowMs);
  const foundMs = tryWait(state.learned, nowMs);
  if (Math.max(saidMs, foundMs) < shortestToldMs || state.name === undefined) return null;
  const { endpoint, keyVariable } = state.name;
  const why = saidMs >= foundMs ? (state.closed?.why ?? '') : 'the endpoint refuses all calls, and does not say for how long';
  return { endpoint, keyVariable, untilMs: nowMs + Math.max(saidMs, foundMs), why };
}

/** Whether an endpoint limits what it takes, so that all processes must act as one. */
export const isTight = ({ learned, closed, crowded }: AccountState): boolean =>
  learned.pace !== null || Boolean(learned.chance) || closed !== null || crowded !== null;

/** Brings into the shared state what a process has done with its own copy since `before`. */
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

/** Of what is left by the endpoint's word, calls in flight may not be counted yet. */
function noteAllowances(state: AccountState, said: Allowances, nowMs: number): void {
  for (const kind of ['requests', 'tokens'] as const) {
    const allowance: Allowance | undefined = said[kind];
    if (allowance === undefined) continue;
    const count = allowance.remaining - (kind === 'requests' ? inFlight(state) : 0);
    state.left[kind] = { count, untilMs: nowMs + Math.min(longestAllowanceMs, allowance.resetMs) };
  }
}

function leftWait(state: AccountState, kind: keyof Allowances, cost: number, nowMs: number): number {
  const left = state.left[kind];
  if (left === undefined || left.count >= cost) return 0;
  const waitMs = left.untilMs - nowMs;
  if (waitMs > 0 && waitMs <= longestAllowanceMs) return waitMs;
  delete state.left[kind];
  return 0;
}

/** A bucket's size, and what flows in per millisecond. */
interface Rate {
  readonly size: number;
  readonly perMs: number;
}

const minuteMs = 60_000;
/** A request may reach the endpoint so much later than its place was given, and the next one at once. */
const underWayMs = 1_500;

/** A full bucket and the inflow of a minute and what is under way are less than one request above the limit: no minute, wherever it starts, has more. */
function requestRate({ requestsPerMinute: limit }: AccountLimits): Rate | null {
  if (limit === undefined) return null;
  const size = Math.max(1, limit / 60);
  return { size, perMs: (limit + 1 - size) / (minuteMs + underWayMs) };
}

function tokenRate({ tokensPerMinute: limit }: AccountLimits): Rate | null {
  return limit === undefined ? null : { size: limit / 60, perMs: (limit * 59) / 60 / (minuteMs + underWayMs) };
}

/** Refills the bucket; milliseconds until `cost` can be taken, or the whole bucket where `cost` is larger than it. */
function waitFor(state: AccountState, name: 'requests' | 'tokens' | 'pace', rate: Rate | null, cost: number, nowMs: number): number {
  if (rate === null) {
    state[name] = null;
    return 0;
  }
  const { level, atMs } = state[name] ?? { level: rate.size, atMs: nowMs };
  const filled = Math.min(rate.size, level + Math.max(0, nowMs - atMs) * rate.perMs);
  state[name] = { level: filled, atMs: nowMs };
  const missing = Math.min(cost, rate.size) - filled;
  return missing <= 0 ? 0 : Math.ceil(missing / rate.perMs);
}
