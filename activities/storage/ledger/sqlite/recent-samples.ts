/**
 * A cache of samples that this process recently answered, since the next step asks about them.
 * An answer in use never changes.
 */
import type { SampleKey, SampleRecord, StoredReplies } from '../records.ts';
import { createRecent } from '../../../../domain/recent.ts';

export interface RecentSamples {
  get(key: SampleKey): SampleRecord | undefined;
  /** The durable answers to one request whose first sample is `first`. */
  put(first: SampleKey, replies: StoredReplies): void;
}

/** Size of the cache in characters, and estimated overhead per sample. */
const room = 4 * 1024 * 1024;
const perSample = 512;

export function createRecentSamples(): RecentSamples {
  const samples = createRecent<SampleRecord>(room);
  return {
    get: (key) => samples.get(nameOf(key)),
    put(first, replies) {
      for (const [place, stored] of replies.entries()) {
        if (stored === null) continue;
        const key = { ...first, sample: first.sample + place };
        samples.put(nameOf(key), { key, ...stored }, stored.reply.text.length + perSample);
      }
    },
  };
}

const nameOf = ({ page, cell, step, loop, ask, sample }: SampleKey): string =>
  `${page}/${cell}/${step}/${loop}/${ask}/${sample}`;
