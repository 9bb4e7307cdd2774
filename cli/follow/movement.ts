/** What a watch knows from all of its looks so far, for the rate and the ETA. */
import { extentOf } from './extent.ts';
import { createPace } from './pace.ts';
import type { Pace, ProgressPoint } from './progress-line.ts';
import type { RunSnapshot } from './run-snapshot.ts';
import type { Extent } from './share-done.ts';

const pointsKept = 120;

export interface Movement {
  readonly extent: Extent;
  readonly points: readonly ProgressPoint[];
  readonly elapsedMs: number;
  readonly pace: Pace;
}

/** @param slowMs milliseconds left for programs that take seconds */
export function followMovement(slowMs: () => Promise<number>): (seen: RunSnapshot) => Promise<Movement> {
  const startedMs = performance.now();
  const points: ProgressPoint[] = [];
  const pace = createPace();
  return async ({ manifest, progress }) => {
    const slowNowMs = await slowMs();
    const [extent, elapsedMs] = [extentOf(manifest), performance.now() - startedMs];
    points.push({ atMs: performance.now(), done: progress.answered });
    if (points.length > pointsKept) points.shift();
    return { extent, points, elapsedMs, pace: pace(progress, extent, elapsedMs, slowNowMs) };
  };
}
