/**
 * What an endpoint's refusals teach about a limit that the spec does not state. The average rate that it accepted over the last minute is the best
 * estimate of what it allows, whatever its window. Starts are paced a little below it, and the pace creeps up until the next refusal.
 */
import { type ChanceRefusals, contradictsChance, isDense, noteCall, noteLone } from './refused-by-chance.ts';

interface Pace {
  readonly atMs: number;
  readonly from: number;
  readonly ceiling: number;
  /** How long the average was taken over, seconds. */
  readonly seenFor: number;
}

/** Changed in place. Times are Unix milliseconds, rates are requests per second. */
export interface LearnedLimit extends ChanceRefusals {
  /** Requests that were sent and not refused, by second, over the last minute. */
  starts: Record<string, number>;
  /** Null until the endpoint refuses. */
  pace: Pace | null;
  /** A request was refused that was sent after the pace was last lowered, and none was answered since. */
  doubted: boolean;
  /** Nothing goes but single requests that try whether the endpoint is open again. */
  closed: {
    readonly tries: number;
    nextMs: number;
    /** What the endpoint took before it closed, and since when. */
    taken: number;
    readonly sinceMs: number;
  } | null;
}

export const newLearnedLimit = (): LearnedLimit => ({ starts: {}, pace: null, doubted: false, closed: null });

const windowMs = 60_000;
/** Between two requests that try a closed endpoint, while neither is answered. */
const tryGapMs = 1_000;
const longestTryWaitMs = 300_000;
/** A request may come to the endpoint so much later than it was started. */
const lateMs = 2_000;
/** The pace rises to its ceiling in this time. */
const climbSeconds = 20;
/** Then it stays there for so long, or for so many requests where they take longer, before it looks for more. */
const holdSeconds = 60;
const holdRequests = 200;
/** A pace that has found so many times its ceiling is no limit any more. */
const forgottenAt = 4;

/** Requests per second just now; null for no limit. */
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

/** Seconds since the pace began to look for more; 0 and less before. */
function searchedFor({ atMs, ceiling, seenFor }: Pace, nowMs: number): number {
  const hold = seenFor < holdSeconds ? seenFor : Math.max(holdSeconds, holdRequests / ceiling);
  return Math.max(0, nowMs - atMs) / 1000 - climbSeconds - hold;
}

/** Milliseconds until a request may try whether the endpoint is open again; 0 where it is not known to be closed. */
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

/** A request that was counted was not sent after all, or was refused. */
export function unnoteStart(limit: LearnedLimit, startedAtMs: number): void {
  const second = secondOf(startedAtMs);
  const count = limit.starts[second] ?? 0;
  if (count > 1) limit.starts[second] = count - 1;
  else delete limit.starts[second];
}

/** Requests of one burst, sent before the pace was lowered, lower it once. */
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
  // One refusal among answers asks for a slower pace; the first, and one after another, may mean that nothing goes for a while.
  const closes = limit.pace === null || (limit.doubted && dense);
  limit.pace = paceOf(before.taken, before.sinceMs, nowMs, paceAt(limit, nowMs) ?? Infinity);
  limit.doubted = true;
  if (!closes) return;
  const waitMs = Math.min(1_000 * 8 ** tries, untilWindowMoves(before.sinceMs, nowMs));
  limit.closed = { ...before, tries: tries + 1, nextMs: nowMs + waitMs };
}

/** Refusals that go on at paces that the endpoint has borne, each followed by calls that it takes, are not about the pace. */
function isByChance(limit: LearnedLimit, nowMs: number): boolean {
  if (limit.pace === null) return false;
  // Two refused tries in a row, seconds apart, are a limit's.
  if (limit.closed && limit.closed.tries > 1) limit.watch = null;
  if (limit.closed || searchedFor(limit.pace, nowMs) > 0) return false;
  if (!noteLone(limit)) return false;
  limit.pace = null;
  limit.doubted = false;
  return true;
}

/** What was sent before the pace was last lowered says nothing about now. */
export function noteAnswer(limit: LearnedLimit, startedAtMs: number, nowMs: number): void {
  if (limit.pace === null || isBefore(limit.pace.atMs, startedAtMs, nowMs)) return;
  // All that the endpoint took until it opened again is what it takes in such a time.
  if (limit.closed && limit.closed.tries > 1) limit.pace = paceOf(limit.closed.taken, limit.closed.sinceMs, startedAtMs, Infinity);
  limit.closed = null;
  limit.doubted = false;
}

/** Counts what `own` has more than it had `before`. */
export function joinStarts(shared: LearnedLimit, own: LearnedLimit, before: LearnedLimit): void {
  for (const second of new Set([...Object.keys(own.starts), ...Object.keys(before.starts)])) {
    const count = (shared.starts[second] ?? 0) + (own.starts[second] ?? 0) - (before.starts[second] ?? 0);
    if (count > 0) shared.starts[second] = count;
    else delete shared.starts[second];
  }
}

const secondOf = (atMs: number): string => String(Math.floor(atMs / 1000));

/** Whether a request was sent before the pace was lowered; a clock that was set back since makes all that is newer count. */
const isBefore = (loweredAtMs: number, startedAtMs: number, nowMs: number): boolean => loweredAtMs <= nowMs && startedAtMs <= loweredAtMs;

function prune(limit: LearnedLimit, nowMs: number): void {
  for (const second of Object.keys(limit.starts)) {
    const ageMs = nowMs - Number(second) * 1000;
    if (ageMs >= windowMs + 1000 || ageMs < -windowMs) delete limit.starts[second];
  }
}

/** The average since then, or the pace that was refused. The shorter the time, the less the average says, and the lower the pace begins. */
function paceOf(taken: number, sinceMs: number, nowMs: number, refused: number): Pace {
  const seenFor = Math.min(windowMs, Math.max(1_000, nowMs - sinceMs)) / 1000;
  const ceiling = Math.min(refused, Math.max(1, taken) / seenFor);
  return { atMs: nowMs, ceiling: 0.995 * ceiling, from: (0.8 + 0.185 * (seenFor / 60)) * ceiling, seenFor };
}

const oldestMs = ({ starts }: LearnedLimit, nowMs: number): number =>
  Math.max(nowMs - windowMs, Math.min(nowMs, ...Object.keys(starts).map((second) => Number(second) * 1000)));

/**
 * When the oldest request leaves a window of a minute, if that is what the endpoint counts in, and it came there within two seconds. After that
 * twice as long each time.
 */
function untilWindowMoves(oldest: number, nowMs: number): number {
  const untilMs = oldest + windowMs + lateMs - nowMs;
  return untilMs > 0 ? untilMs : Math.min(longestTryWaitMs, Math.max(lateMs, -untilMs));
}
