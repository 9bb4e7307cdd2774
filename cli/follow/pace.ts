/** Follows the speed of a run, for the ETA of `run`, `resume` and `status --watch`. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Pace } from './progress-line.ts';
import { createRecentPace } from './recent-pace.ts';
import { type Extent, shareOf } from './share-done.ts';

/** What is left for programs that take seconds is given in milliseconds. */
export function createPace(): (progress: Progress, extent: Extent, elapsedMs: number, slowMs: number) => Pace {
  const recent = createRecentPace();
  let answeredBefore: number | undefined;
  let begun: Pace['begun'] | undefined;
  return (progress, extent, elapsedMs, slowMs) => {
    answeredBefore ??= progress.answered;
    const now = { elapsedMs, share: shareOf(progress, extent) };
    if (progress.answered > answeredBefore) begun = recent(now);
    return { begun: begun ?? now, slowMs };
  };
}
