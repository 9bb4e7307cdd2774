/**
 * How many calls an endpoint bears in flight, where it does not say. Answers allow more. A refusal among more than were ever answered may be about
 * their number, and then one more is tried only after some answers: ever more of them the more often that was refused, and fewer where it was answered.
 */

/** The endpoint refused a call that may have been one too many in flight. All but `atMs` and `doubted` is absent in what older programs kept. */
interface Crowded {
  readonly atMs: number;
  /** No call that was sent later was answered yet. */
  doubted: boolean;
  /** While in doubt, calls start so far apart that one refusal is known before the next call goes. */
  readonly gapMs?: number;
  nextMs?: number;
  /** Answers before one more call in flight is tried. */
  patience?: number;
}

/** Changed in place. Times are Unix milliseconds. */
export interface LearnedPlaces {
  /** Calls in flight that the endpoint has been good for so far; null is as many as configured. */
  allowed: number | null;
  /** The most calls in flight of which the last was answered. */
  proven: number;
  /** Null before any such refusal. */
  crowded: Crowded | null;
  /** When `allowed` was last raised. */
  raisedAtMs: number;
}

export const newLearnedPlaces = (): LearnedPlaces => ({ allowed: null, proven: 0, crowded: null, raisedAtMs: 0 });

/** What is stated of them. */
export interface PlaceLimits {
  /** Calls in flight at most. */
  readonly concurrency: number;
  /** Nobody has stated `concurrency`: it holds for each process, and the account begins with fewer calls. */
  readonly unstated?: boolean;
}

/** Calls in flight of an account about which nothing is known; answers allow more. */
const firstInFlight = 8;
const raisedPerSecond = 4;
const mostInFlight = 1024;
const firstPatience = 8;
const mostPatience = 300;
/** Refusals that come so soon build no burst behind them. */
const soonMs = 50;

export const allowedNow = ({ allowed }: LearnedPlaces, limits: PlaceLimits): number =>
  Math.floor(allowed ?? (limits.unstated ? firstInFlight : limits.concurrency));

/** Milliseconds until a call may find out whether there were too many. */
export function crowdWait({ crowded }: LearnedPlaces, nowMs: number): number {
  if (!crowded?.doubted) return 0;
  const waitMs = (crowded.nextMs ?? nowMs) - nowMs;
  // A clock that was set back must not keep calls waiting.
  return waitMs > (crowded.gapMs ?? 0) ? 0 : Math.max(0, waitMs);
}

export function noteCrowdTry({ crowded }: LearnedPlaces, nowMs: number): void {
  if (crowded?.doubted) crowded.nextMs = nowMs + (crowded.gapMs ?? 0);
}

/**
 * Whether a refusal may be about the number of calls in flight: one among more than were ever answered, or among as many as are allowed since such a
 * refusal. It lowers the number. One after it without an answer between, and any other, is about the rate.
 */
export function noteCrowd(places: LearnedPlaces, started: { atMs: number; inFlight: number }, inFlight: number, nowMs: number): boolean {
  const { crowded } = places;
  const isSameBurst = crowded !== null && crowded.atMs <= nowMs && started.atMs <= crowded.atMs;
  const isTop = crowded !== null && !crowded.doubted && started.inFlight >= Math.floor(places.allowed ?? Infinity);
  if (isTop) places.proven = Math.min(places.proven, started.inFlight - 1);
  if (!isSameBurst && (started.inFlight <= places.proven || crowded?.doubted)) return false;
  places.allowed = Math.max(1, places.proven, inFlight);
  if (!isSameBurst) places.crowded = crowdedBy(crowded, Math.max(0, nowMs - started.atMs), nowMs);
  return true;
}

function crowdedBy(before: Crowded | null, refusedAfterMs: number, nowMs: number): Crowded {
  const patience = before === null ? firstPatience : 2 * (before.patience ?? mostPatience);
  const gapMs = refusedAfterMs < soonMs ? 0 : 2 * refusedAfterMs;
  return { atMs: nowMs, doubted: true, gapMs, nextMs: nowMs, patience: Math.min(mostPatience, patience) };
}

export function noteProven(places: LearnedPlaces, limits: PlaceLimits, started: { atMs: number; inFlight: number }, nowMs: number): void {
  const { crowded } = places;
  if (crowded && started.atMs > crowded.atMs) crowded.doubted = false;
  if (crowded && started.inFlight > places.proven) crowded.patience = (crowded.patience ?? mostPatience) / 2;
  if ((crowded?.patience ?? 1) < 1) places.crowded = null;
  places.proven = Math.max(places.proven, started.inFlight);
  raise(places, limits, nowMs);
}

function raise(places: LearnedPlaces, limits: PlaceLimits, nowMs: number): void {
  const { crowded, raisedAtMs } = places;
  const allowed = places.allowed ?? (limits.unstated ? firstInFlight : limits.concurrency);
  const by = crowded ? 1 / Math.max(allowed, crowded.patience ?? mostPatience) : raiseBy(raisedAtMs, nowMs);
  const raised = Math.max(places.proven, allowed + by);
  const isFree = raised >= limits.concurrency && !limits.unstated;
  places.allowed = isFree ? null : Math.min(raised, mostInFlight);
  if (isFree) places.crowded = null;
  places.raisedAtMs = nowMs;
}

/** One for each answer, and no more in a second than an endpoint can be seen to mind. */
const raiseBy = (raisedAtMs: number, nowMs: number): number => Math.min(1, (Math.max(0, nowMs - raisedAtMs) / 1000) * raisedPerSecond);
