/**
 * Learns how many calls in flight an endpoint accepts if it does not say. Answers allow more. A refusal while more
 * calls are in flight than were ever answered may be about their number; one more is then tried only after some
 * answers: after more of them each time that is refused, after fewer each time it is answered.
 */

/**
 * The endpoint refused a call that may have been one too many in flight. States stored by older programs only have
 * `atMs` and `doubted`.
 */
interface Crowded {
  readonly atMs: number;
  /** No call sent later has been answered yet. */
  doubted: boolean;
  /** While in doubt, calls start this far apart, so that one refusal is known before the next call starts. */
  readonly gapMs?: number;
  nextMs?: number;
  /** Answers before one more call in flight is tried. */
  patience?: number;
}

/** Changed in place. Times are Unix milliseconds. */
export interface LearnedPlaces {
  /** Calls in flight that the endpoint has accepted so far; null: as many as configured. */
  allowed: number | null;
  /** The most calls in flight whose last one was answered. */
  proven: number;
  /** Null before any such refusal. */
  crowded: Crowded | null;
  /** When `allowed` was last raised. */
  raisedAtMs: number;
}

export const newLearnedPlaces = (): LearnedPlaces => ({ allowed: null, proven: 0, crowded: null, raisedAtMs: 0 });

/** The limits that the spec states. */
export interface PlaceLimits {
  /** Most calls in flight. */
  readonly concurrency: number;
  /** The spec does not state `concurrency`: it applies to each process, and the account begins with fewer calls. */
  readonly unstated?: boolean;
}

/** Calls in flight of an unknown account at first; answers allow more. */
const firstInFlight = 8;
const raisedPerSecond = 4;
const mostInFlight = 1024;
const firstPatience = 8;
const mostPatience = 300;
/** Refusals that come this soon do not cause a burst. */
const soonMs = 50;

export const allowedNow = ({ allowed }: LearnedPlaces, limits: PlaceLimits): number =>
  Math.floor(allowed ?? (limits.unstated ? firstInFlight : limits.concurrency));

/** Milliseconds until a call may test whether there were too many in flight. */
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
 * Whether a refusal may be about the number of calls in flight: more calls than were ever answered, or as many as
 * allowed since such a refusal. If so, lowers the number. Any other refusal, and the next one without an answer in
 * between, is about the rate.
 */
export function noteCrowd(
  places: LearnedPlaces,
  started: { atMs: number; inFlight: number },
  inFlight: number,
  nowMs: number,
): boolean {
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

export function noteProven(
  places: LearnedPlaces,
  limits: PlaceLimits,
  started: { atMs: number; inFlight: number },
  nowMs: number,
): void {
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

/** One for each answer, but at most `raisedPerSecond`, so that the endpoint's reaction is seen in time. */
const raiseBy = (raisedAtMs: number, nowMs: number): number =>
  Math.min(1, (Math.max(0, nowMs - raisedAtMs) / 1000) * raisedPerSecond);
