/** Reads the answers and calls of one page at a time. */
import type { BroughtSample, CallRecord, SampleKey, SampleRecord } from './records.ts';

/** One sample's place within its page. */
export type PlaceInPage = Omit<SampleKey, 'page'>;

/**
 * The answers of a page, for a study's pure code: it answers at once, and may read on demand. It has everything that
 * was stored when it was loaded. Whether it shows what is stored later is not said: a step adds its own answers itself
 * (activities/pages/page-cells.ts).
 */
export interface PageSnapshot {
  sample(place: PlaceInPage): SampleRecord | undefined;
  /** Whether any cell has an answer at this place. */
  hasSamples(place: Pick<PlaceInPage, 'step' | 'loop' | 'ask'>): boolean;
}

export interface PageRecords {
  /** All answered samples, ordered by cell, step (alphabetically), loop, ask, sample. */
  readonly samples: readonly BroughtSample[];
  /** All HTTP attempts that have ended, in the order of their intents. */
  readonly calls: readonly CallRecord[];
}

export interface PageReader {
  /** One read for a step, however many answers it looks at. */
  load(page: string): Promise<PageSnapshot>;
  samples(page: string): Promise<readonly SampleRecord[]>;
  /** Samples and calls of one moment, so that neither has what arrives later. Throws for a page without a plan. */
  records(page: string): Promise<PageRecords>;
}
