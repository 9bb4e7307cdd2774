/** When the calls that wait for a batch become one, and how many of them. */
import { mostRequests } from '../providers/batches/batch-endpoint.ts';
import type { BatchQueue, EndedBatch } from '../storage/ledger/batch-book.ts';
import { patienceMs } from './patience.ts';

/** Pages add their questions within moments of each other, once their answers are there. */
const quietMs = 1_000;
const shortestGatherMs = 30_000;
const longestGatherMs = 15 * 60_000;
/** An endpoint at which too much waits is given this long, twice as long each time, and half as much. */
const crowdedPauseMs = 5_000;
const longestPauseMs = 10 * 60_000;

/**
 * Number of calls of the next batch; 0 while more of them are to be expected.
 * @param last the model's last batch that ended; null before there is one
 */
export function nextBatchSize(queue: BatchQueue, last: EndedBatch | null, nowMs: number): number {
  if (last !== null && last.crowdedInARow > 0) {
    const pauseMs = Math.min(longestPauseMs, crowdedPauseMs * 2 ** (last.crowdedInARow - 1));
    return nowMs - last.endedAtMs < pauseMs ? 0 : Math.max(1, Math.floor(last.requests / 2));
  }
  if (queue.lines >= mostRequests) return mostRequests;
  const tookMs = last?.tookMs ?? 0;
  // Pages find their answers as late as they look, and then add their next questions.
  const isQuiet = nowMs - queue.newestMs >= Math.max(quietMs, last === null ? 0 : 1.5 * patienceMs(tookMs));
  const gatherMs = Math.min(longestGatherMs, Math.max(shortestGatherMs, tookMs));
  const isComplete = queue.pagesAtWork === 0 || nowMs - queue.oldestMs >= gatherMs;
  return isQuiet && isComplete ? mostRequests : 0;
}
