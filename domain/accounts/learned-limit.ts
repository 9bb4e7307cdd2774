/**
 * Learns a rate limit that the spec does not state from an endpoint's refusals. The average rate accepted over the last
 * minute is the best estimate of the limit, whatever window the endpoint uses. Calls then start a little below that
 * rate, which slowly rises until the next refusal.
 */
import { type ChanceRefusals, contradictsChance, isDense, noteCall, noteLone } from './refused-by-chance.ts';

interface Pace {
  readonly atMs: number;
  readonly from: number;
  readonly ceiling: number;
  /** Seconds that the average was taken over. */
  readonly seenFor: number;
}

/** Changed in place. Times are Unix milliseconds, rates are requests per second. */
export interface LearnedLimit extends ChanceRefusals {
  /** Requests sent and not refused, by second, over the last minute. */
  starts: Record<string, number>;
  /** Null until the endpoint refuses. */
  pace: Pace | null;
  /** A request sent after the pace was last lowered was refused, and no later one has been answered. */
  doubted: boolean;
  /** Only single requests are sent, to test whether the endpoint accepts calls again. */
  closed: {
    readonly tries: number;
    nextMs: number;
    /** Requests that the endpoint accepted before it closed, and the start of that period. */
    taken: number;
    readonly sinceMs: number;
  } | null;
}

export const newLearnedLimit = (): LearnedLimit => ({ starts: {}, pace: null, doubted: false, closed: null });

const windowMs = 60_000;
/** Gap between two test requests to a closed endpoint while neither is answered. */
const tryGapMs = 1_000;
const longestTryWaitMs = 300_000;
/** A request may reach the endpoint this much later than it was started. */
const lateMs = 2_000;
/** The pace rises to its ceiling in this time. */
const climbSeconds = 20;
/** Then it stays there for this time, or for this many requests if they take longer, before it rises further. */
const holdSeconds = 60;
const holdRequests = 200;
/** A pace that has risen to this multiple of its ceiling is no longer a limit. */
const forgottenAt = 4;

/** Requests per second allowed now; null for no limit. */
export function paceAt(limit: LearnedLimit, nowMs: number): number | null {
  if (limit.pace === null) return null;
  const { atMs, from, ceiling } = limit.pace;
  const climbed = from + (ceiling - from) * Math.min(1, Math.max(0, nowMs - atMs) / 1000 / climbSeconds);
  const searching = searchedFor(limit.pace, nowMs);
  if (searching <= 0) return climbed;
  const factor = 1 + searching / 1_000 + (searching / (2 * limit.pace.seenFor)) ** 3;
  if (limit.closed || factor < forgottenAt) return climbed * factor;
  limit.pace = null;
  return null;
}

/** Seconds since the pace began to rise above its ceiling; 0 or less before that. */
function searchedFor({ atMs, ceiling, seenFor }: Pace, nowMs: number): number {
  const hold = seenFor < holdSeconds ? seenFor : Math.max(holdSeconds, holdRequests / ceiling);
  return Math.max(0, nowMs - atMs) / 1000 - climbSeconds - hold;
}

/** Milliseconds until a request may test whether the endpoint is open again; 0 if it is not known to be closed. */
export function tryWait({ closed }: LearnedLimit, nowMs: number): number {
  const waitMs = closed === null ? 0 : closed.nextMs - nowMs;
  // A clock that was set back must not keep the endpoint closed.
  return waitMs > longestTryWaitMs ? 0 : Math.max(0, waitMs);
}

export function noteStart(limit: LearnedLimit, nowMs: number): void {
  const second = secondOf(nowMs);
  if (limit.starts[second] === undefined) prune(limit, nowMs);
  limit.starts[second] = (limit.starts[second] ?? 0) + 1;
  if (limit.closed) limit.closed.nextMs = nowMs + tryGapMs;
  noteCall(limit);
}

/** Undoes the count of a request that was not sent after all, or was refused. */
export function unnoteStart(limit: LearnedLimit, startedAtMs: number): void {
  const second = secondOf(startedAtMs);
  const count = limit.starts[second] ?? 0;
  if (count > 1) limit.starts[second] = count - 1;
  else delete limit.starts[second];
}

/** Refusals of one burst, whose requests were sent before the pace was lowered, lower it only once. */
export function noteRefusal(limit: LearnedLimit, startedAtMs: number, nowMs: number): void {
  unnoteStart(limit, startedAtMs);
  if (limit.chance && !contradictsChance(limit, limit.chance)) return;
  if (limit.pace !== null && isBefore(limit.pace.atMs, startedAtMs, nowMs)) {
    if (limit.closed?.tries === 1) limit.closed.taken -= 1;
    return;
  }
  const dense = isDense(limit);
  if (isByChance(limit, nowMs)) return;
  prune(limit, nowMs);
  const taken = Object.values(limit.starts).reduce((sum, count) => sum + count, 0);
  const { tries, ...before } = limit.closed ?? { tries: 0, taken, sinceMs: oldestMs(limit, nowMs) };
  // A single refusal among answers asks for a slower pace. The first one, or several in a row, may mean that the
  // endpoint accepts nothing for a while.
  const closes = limit.pace === null || (limit.doubted && dense);
  limit.pace = paceOf(before.taken, before.sinceMs, nowMs, paceAt(limit, nowMs) ?? Infinity);
  limit.doubted = true;
  if (!closes) return;
  const waitMs = Math.min(1_000 * 8 ** tries, untilWindowMoves(before.sinceMs, nowMs));
  limit.closed = { ...before, tries: tries + 1, nextMs: nowMs + waitMs };
}

/** Refusals at paces that the endpoint has accepted before, each followed by accepted calls, are not about the pace. */
function isByChance(limit: LearnedLimit, nowMs: number): boolean {
  if (limit.pace === null) return false;
  // Two refused test requests in a row, seconds apart, come from a limit.
  if (limit.closed && limit.closed.tries > 1) limit.watch = null;
  if (limit.closed || searchedFor(limit.pace, nowMs) > 0) return false;
  if (!noteLone(limit)) return false;
  limit.pace = null;
  limit.doubted = false;
  return true;
}

/** Answers to requests sent before the pace was last lowered say nothing about the present. */
export function noteAnswer(limit: LearnedLimit, startedAtMs: number, nowMs: number): void {
  if (limit.pace === null || isBefore(limit.pace.atMs, startedAtMs, nowMs)) return;
  // The endpoint allows what it accepted in the whole period until it opened again.
  if (limit.closed && limit.closed.tries > 1)
    limit.pace = paceOf(limit.closed.taken, limit.closed.sinceMs, startedAtMs, Infinity);
  limit.closed = null;
  limit.doubted = false;
}

/** Adds to `shared` the starts that `own` has gained since `before`. */
export function joinStarts(shared: LearnedLimit, own: LearnedLimit, before: LearnedLimit): void {
  for (const second of new Set([...Object.keys(own.starts), ...Object.keys(before.starts)])) {
    const count = (shared.starts[second] ?? 0) + (own.starts[second] ?? 0) - (before.starts[second] ?? 0);
    if (count > 0) shared.starts[second] = count;
    else delete shared.starts[second];
  }
}

const secondOf = (atMs: number): string => String(Math.floor(atMs / 1000));

/** Whether a request was sent before the pace was lowered; always false if the clock was set back since. */
const isBefore = (loweredAtMs: number, startedAtMs: number, nowMs: number): boolean =>
  loweredAtMs <= nowMs && startedAtMs <= loweredAtMs;

function prune(limit: LearnedLimit, nowMs: number): void {
  for (const second of Object.keys(limit.starts)) {
    const ageMs = nowMs - Number(second) * 1000;
    if (ageMs >= windowMs + 1000 || ageMs < -windowMs) delete limit.starts[second];
  }
}

/**
 * The average rate since `sinceMs`, or the refused pace if that is lower. The shorter the time, the less reliable the
 * average, so the lower the pace begins.
 */
function paceOf(taken: number, sinceMs: number, nowMs: number, refused: number): Pace {
  const seenFor = Math.min(windowMs, Math.max(1_000, nowMs - sinceMs)) / 1000;
  const ceiling = Math.min(refused, Math.max(1, taken) / seenFor);
  return { atMs: nowMs, ceiling: 0.995 * ceiling, from: (0.8 + 0.185 * (seenFor / 60)) * ceiling, seenFor };
}

const oldestMs = ({ starts }: LearnedLimit, nowMs: number): number =>
  Math.max(nowMs - windowMs, Math.min(nowMs, ...Object.keys(starts).map((second) => Number(second) * 1000)));

/**
 * Milliseconds until the oldest request leaves a window of one minute, if the endpoint uses one and received it within
 * two seconds. After that, twice as long each time.
 */
function untilWindowMoves(oldest: number, nowMs: number): number {
  const untilMs = oldest + windowMs + lateMs - nowMs;
  return untilMs > 0 ? untilMs : Math.min(longestTryWaitMs, Math.max(lateMs, -untilMs));
}
