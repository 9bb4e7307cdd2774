/** Follows the speed of a run, for the ETA of `run`, `resume` and `status --watch`. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Pace } from './progress-line.ts';
import { createRecentPace } from './recent-pace.ts';
import { type Extent, shareOf } from './share-done.ts';

/** What is left for programs that take seconds is given in milliseconds, at most. */
export function createPace(): (progress: Progress, extent: Extent, elapsedMs: number, slowMs: number) => Pace {
  const recent = createRecentPace();
  const slowLeft = createSlowLeft();
  let answeredBefore: number | undefined;
  let begun: Pace['begun'] | undefined;
  return (progress, extent, elapsedMs, slowMs) => {
    answeredBefore ??= progress.answered;
    const now = { elapsedMs, share: shareOf(progress, extent) };
    if (progress.answered > answeredBefore) begun = recent(now);
    return { begun: begun ?? now, slowMs: slowLeft(elapsedMs, slowMs) };
  };
}

/** The bound counts one program for each cell. Where cells share programs, it falls faster than time passes. */
function createSlowLeft(): (elapsedMs: number, slowMs: number) => number {
  const recent = createRecentPace();
  let mostMs = 0;
  return (elapsedMs, slowMs) => {
    mostMs = Math.max(mostMs, slowMs);
    const share = mostMs === 0 ? 1 : 1 - slowMs / mostMs;
    const begun = recent({ elapsedMs, share });
    const gained = share - begun.share;
    return gained > 0 ? Math.min(slowMs, ((elapsedMs - begun.elapsedMs) * (1 - share)) / gained) : slowMs;
  };
}
