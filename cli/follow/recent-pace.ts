/** How far back an ETA looks: a run's speed at its start says little about its speed now. */

interface Point {
  readonly elapsedMs: number;
  /** Share of the run that is done, 0 to 1. */
  readonly share: number;
}

/** Looks back over a quarter of the time so far, and at least this long. */
const shortestMs = 15_000;
/** Shortest time between two kept points, as a share of the time so far. */
const minimumGap = 1 / 400;

/** Takes the current point and returns the one at which the recent work began. */
export function createRecentPace(): (now: Point) => Point {
  const kept: Point[] = [];
  let beganMs: number | undefined;
  return (now) => {
    beganMs ??= now.elapsedMs;
    const tookMs = now.elapsedMs - beganMs;
    if (now.elapsedMs - (kept.at(-1)?.elapsedMs ?? -Infinity) >= tookMs * minimumGap) kept.push(now);
    const sinceMs = now.elapsedMs - Math.max(shortestMs, tookMs / 4);
    while ((kept[1]?.elapsedMs ?? Infinity) <= sinceMs) kept.shift();
    return kept[0] ?? now;
  };
}
