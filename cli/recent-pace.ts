/** Since when an ETA looks back: how fast a run began says little of how fast it goes now. */

interface Standing {
  readonly elapsedMs: number;
  /** Done of the whole, 0 to 1. */
  readonly share: number;
}

/** A quarter of the time that the work has taken, and no less than this. */
const shortestMs = 15_000;
/** Between two that are kept, of the time so far. */
const apart = 1 / 400;

/** Takes what stands now, and gives what stood when the recent part of the work began. */
export function createRecentPace(): (now: Standing) => Standing {
  const kept: Standing[] = [];
  let beganMs: number | undefined;
  return (now) => {
    beganMs ??= now.elapsedMs;
    const tookMs = now.elapsedMs - beganMs;
    if (now.elapsedMs - (kept.at(-1)?.elapsedMs ?? -Infinity) >= tookMs * apart) kept.push(now);
    const sinceMs = now.elapsedMs - Math.max(shortestMs, tookMs / 4);
    while ((kept[1]?.elapsedMs ?? Infinity) <= sinceMs) kept.shift();
    return kept[0] ?? now;
  };
}
