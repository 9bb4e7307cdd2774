/** How long to wait before looking at a batch again. */

export const shortestWaitMs = 1_000;
const longestWaitMs = 30_000;

/** An eighth of the time waited so far: a batch of seconds is found soon, and one of hours takes few looks. */
export const patienceMs = (waitedMs: number): number =>
  Math.round(Math.min(longestWaitMs, Math.max(shortestWaitMs, waitedMs / 8)));
