/** Runs that get faster or slower, because tasks end early or because the last tasks take longest. */
import { expect, test } from 'vitest';
import { createRecentPace } from '../../../cli/follow/recent-pace.ts';

const tickMs = 500;

/**
 * Largest factor between true and estimated time left, over the last two thirds except the last ten seconds.
 */
function worstFactor(shareAt: (time: number) => number, endMs: number): number {
  const since = createRecentPace();
  let worst = 1;
  for (let elapsedMs = tickMs; elapsedMs < endMs - 10_000; elapsedMs += tickMs) {
    const share = shareAt(elapsedMs / endMs);
    const begun = since({ elapsedMs, share });
    const leftMs = ((elapsedMs - begun.elapsedMs) / (share - begun.share)) * (1 - share);
    const factor = leftMs / (endMs - elapsedMs);
    if (elapsedMs >= endMs / 3) worst = Math.max(worst, factor, 1 / factor);
  }
  return worst;
}

test.each([90_000, 600_000, 7_200_000])('for a run of %i ms the time left is right within a factor of 1.5', (endMs) => {
  expect(worstFactor((time) => time, endMs)).toBeLessThan(1.01);
  expect(worstFactor((time) => time ** 1.4, endMs)).toBeLessThan(1.5);
  expect(worstFactor((time) => 0.7 * time + 0.3 * time ** 2, endMs)).toBeLessThan(1.5);
  // Slow to begin with, and three times as fast from a fifth of the time on.
  expect(worstFactor((time) => (time < 0.2 ? time / 2.6 : (3 * time - 0.4) / 2.6), endMs)).toBeLessThan(1.5);
});
