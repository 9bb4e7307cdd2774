/** What an account allows just now. No clock and no file of its own, so that one process and many keep to the same rules. */

export interface AccountLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Calls in flight at most. */
  readonly concurrency: number;
}

/** A token bucket: `level` may be taken at once, less than zero is a debt that refilling pays. */
interface Bucket {
  level: number;
  atMs: number;
}

/** Changed in place by the functions below. Times are Unix milliseconds. */
export interface AccountState {
  requests: Bucket | null;
  tokens: Bucket | null;
  /** No call starts before (Retry-After). */
  closedUntilMs: number;
  /** Calls in flight that the endpoint has lately been good for; null is as many as configured. */
  allowed: number | null;
  loweredAtMs: number;
  /** Calls in flight by process. */
  holders: Record<string, { inFlight: number; seenAtMs: number }>;
}

export const newAccountState = (): AccountState => ({
  requests: null,
  tokens: null,
  closedUntilMs: 0,
  allowed: null,
  loweredAtMs: 0,
  holders: {},
});

/** How a call that had a place ended. */
export interface Settlement {
  /** Tokens that were counted when it started. */
  readonly countedTokens: number;
  /** Tokens that it took; null when nothing is known, so that the count stands. */
  readonly tokens: number | null;
  /** False when no request left after all. */
  readonly sent: boolean;
  /** The endpoint answered 429. */
  readonly tooMany: boolean;
  readonly retryAfterMs: number | null;
}

/** How soon to look again while all places are taken, milliseconds: another process may give one back unseen. */
const placePollMs = 100;
/** One burst of 429 answers lowers the concurrency once. */
const lowerEveryMs = 1_000;

/** Starts a call for `holder`, or says how many milliseconds to wait before asking again. 0 means that it has started. */
export function admit(state: AccountState, limits: AccountLimits, holder: string, tokens: number, nowMs: number): number {
  const waitMs = Math.max(
    state.closedUntilMs - nowMs,
    inFlight(state) < Math.min(limits.concurrency, Math.floor(state.allowed ?? limits.concurrency)) ? 0 : placePollMs,
    waitFor(state, 'requests', requestRate(limits), 1, nowMs),
    waitFor(state, 'tokens', tokenRate(limits), tokens, nowMs),
  );
  if (waitMs > 0) return waitMs;
  if (state.requests) state.requests.level -= 1;
  if (state.tokens) state.tokens.level -= tokens;
  state.holders[holder] = { inFlight: (state.holders[holder]?.inFlight ?? 0) + 1, seenAtMs: nowMs };
  return 0;
}

/** Gives the place back, and takes what the call has taught: its true tokens, a closed time, room for more or fewer at a time. */
export function settle(state: AccountState, limits: AccountLimits, holder: string, call: Settlement, nowMs: number): void {
  const left = (state.holders[holder]?.inFlight ?? 1) - 1;
  if (left > 0) state.holders[holder] = { inFlight: left, seenAtMs: nowMs };
  else delete state.holders[holder];
  if (!call.sent && state.requests) state.requests.level += 1;
  if (call.tokens !== null && state.tokens) state.tokens.level += call.countedTokens - call.tokens;
  if (call.retryAfterMs !== null) state.closedUntilMs = Math.max(state.closedUntilMs, nowMs + call.retryAfterMs);
  if (call.tooMany) lower(state, limits, nowMs);
  else if (call.sent && state.allowed !== null) raise(state, limits, state.allowed);
}

const inFlight = (state: AccountState): number => Object.values(state.holders).reduce((sum, holder) => sum + holder.inFlight, 0);

/** Halves the calls at a time. */
function lower(state: AccountState, limits: AccountLimits, nowMs: number): void {
  if (nowMs - state.loweredAtMs < lowerEveryMs) return;
  state.allowed = Math.max(1, (state.allowed ?? limits.concurrency) / 2);
  state.loweredAtMs = nowMs;
}

/** One more at a time for each round of calls that went well. */
function raise(state: AccountState, limits: AccountLimits, allowed: number): void {
  const raised = allowed + 1 / allowed;
  state.allowed = raised >= limits.concurrency ? null : raised;
}

/** A bucket's size, and what flows in per millisecond. */
interface Rate {
  readonly size: number;
  readonly perMs: number;
}

const minuteMs = 60_000;

/** A full bucket and one minute's inflow are less than one request above the limit: no minute, wherever it starts, has more than that. */
function requestRate({ requestsPerMinute: limit }: AccountLimits): Rate | null {
  if (limit === undefined) return null;
  const size = Math.max(1, limit / 60);
  return { size, perMs: (limit + 1 - size) / minuteMs };
}

function tokenRate({ tokensPerMinute: limit }: AccountLimits): Rate | null {
  return limit === undefined ? null : { size: limit / 60, perMs: (limit * 59) / 60 / minuteMs };
}

/** Refills the bucket; milliseconds until `cost` can be taken, or the whole bucket where `cost` is larger than it. */
function waitFor(state: AccountState, name: 'requests' | 'tokens', rate: Rate | null, cost: number, nowMs: number): number {
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
