/** Follows the speed of a run, for the ETA of `run`, `resume` and `status --watch`. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Pace } from './progress-line.ts';
import { createRecentPace } from './recent-pace.ts';
import { type Extent, shareOf } from './share-done.ts';

/** @param slowMs milliseconds left for programs that take seconds */
export function createPace(slowMs: () => number): (progress: Progress, extent: Extent, elapsedMs: number) => Pace {
  const recent = createRecentPace();
  let answeredBefore: number | undefined;
  let begun: Pace['begun'] | undefined;
  return (progress, extent, elapsedMs) => {
    answeredBefore ??= progress.answered;
    const now = { elapsedMs, share: shareOf(progress, extent) };
    if (progress.answered > answeredBefore) begun = recent(now);
    return { begun: begun ?? now, slowMs: slowMs() };
  };
}
