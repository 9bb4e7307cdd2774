/**
 * What earlier attempts at a step, of this worker or of others, asked in vain. A call has so many attempts under one
 * owner of its run, not so many on every worker that the step comes to. An owner that resumes the run counts from one.
 */
import type { At } from '../../../studies/cell-state.ts';
import type { CallBook, FailedAttempt } from '../../storage/ledger/call-book.ts';
import type { Fence } from '../../storage/ledger/fence.ts';
import { isAttempt } from './failure-text.ts';

interface Earlier {
  readonly attempts: number;
  /** Why the last of them failed. */
  readonly failure: string;
}

/** Earlier attempts at the draw of a cell that has most of them. */
export type EarlierAttempts = (cell: number, draws: readonly At[]) => Promise<Earlier>;

const none: Earlier = { attempts: 0, failure: '' };

/** The first attempt at a step reads nothing; a later one reads once, when it first asks. */
export function earlierAttempts(ledger: Pick<CallBook, 'failedBefore'>, page: string, fence: Fence): EarlierAttempts {
  if (fence.attempt === 1) return async () => none;
  let read: Promise<ReadonlyMap<string, Earlier>> | undefined;
  return async (cell, draws) => {
    read ??= ledger.failedBefore(page, fence).then(bySample);
    const known = await read;
    const found = draws.map((at) => known.get(nameOf({ ...at, cell })) ?? none);
    return found.reduce((most, one) => (one.attempts > most.attempts ? one : most), none);
  };
}

/**
 * Calls that were in flight when their worker ended count: they may have been billed, and may be what ended it.
 */
function bySample(failed: readonly FailedAttempt[]): ReadonlyMap<string, Earlier> {
  const all = new Map<string, Earlier>();
  for (const { key, samples, failure } of failed) {
    if (failure !== null && !isAttempt(failure)) continue;
    for (let sample = key.sample; sample < key.sample + samples; sample += 1) {
      const name = nameOf({ ...key, sample });
      const attempts = (all.get(name)?.attempts ?? 0) + 1;
      all.set(name, { attempts, failure: failure ?? 'its worker ended before the answer came' });
    }
  }
  return all;
}

const nameOf = ({ cell, step, loop, ask, sample }: FailedAttempt['key']): string =>
  `${cell}/${step}/${loop}/${ask}/${sample}`;
