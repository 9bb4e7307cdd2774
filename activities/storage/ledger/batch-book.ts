/**
 * The record of batches: which calls wait to be asked in one, and what was sent to the endpoint of each. What is done
 * next follows from it alone, whoever did the step before.
 */
import type { CallToReserve, Reservation } from './call-book.ts';
import type { Fence } from './fence.ts';
import type { SampleKey } from './records.ts';

/** `ordinary`: a batch brought no answer to it, so it is to be asked by itself. */
export type BatchReservation =
  | Exclude<Reservation, { kind: 'go' }>
  | { readonly kind: 'batched' }
  | { readonly kind: 'ordinary' };

/** Calls to one model that wait for a batch to be made of them. Times in milliseconds since 1970. */
export interface BatchQueue {
  readonly answeringModel: string;
  readonly lines: number;
  readonly oldestMs: number;
  readonly newestMs: number;
  /** Open pages that have asked this model in batches and wait for no line: they may add more soon. */
  readonly pagesAtWork: number;
}

export interface BatchRecord {
  readonly id: number;
  /** In the endpoint's metadata and the file's name, so that the batch is found again. */
  readonly uuid: string;
  readonly answeringModel: string;
  readonly requests: number;
  /** Answers that the endpoint had ready when it was last asked. */
  readonly answered: number;
  readonly madeAtMs: number;
  /** Whether an upload of its file began. */
  readonly uploadAsked: boolean;
  readonly file: string | null;
  /** When its creation was last requested. */
  readonly createAskedMs: number | null;
  readonly endpointId: string | null;
  /** Whether it was told to stop. */
  readonly cancelled: boolean;
  /** How often its files had fewer results than the endpoint reports. */
  readonly shortReads: number;
  /** Why it could not be looked at the last time; null if it could. */
  readonly fault: string | null;
}

export type BatchChange = Partial<
  Pick<
    BatchRecord,
    'answered' | 'uploadAsked' | 'file' | 'createAskedMs' | 'endpointId' | 'cancelled' | 'shortReads' | 'fault'
  > & { readonly endReason: BatchEnd }
>;

/** `crowded`: refused because too much waited at the endpoint. */
export type BatchEnd = 'completed' | 'expired' | 'cancelled' | 'refused' | 'crowded' | 'gone' | 'empty';

/** A line: one request, with the calls that it asks for. */
export interface BatchLine {
  readonly intent: number;
  readonly key: SampleKey;
  /** Hex; the first is the line's `custom_id`. */
  readonly callKeys: readonly string[];
  readonly parametersSent: string;
  readonly estimatedUsd: number | null;
  readonly maxTokens: number;
}

/** An ended batch, as far as the next one depends on it. */
export interface EndedBatch {
  readonly requests: number;
  readonly tookMs: number;
  readonly endedAtMs: number;
  /** Batches before this one, and it, that were refused as crowded in a row. */
  readonly crowdedInARow: number;
}

/** Reservations of a batch, or (null) of a model's calls without one. */
export interface LinesToRelease {
  readonly batch: number | null;
  readonly answeringModel: string;
  /** Only these of them. */
  readonly intents?: readonly number[];
}

export interface BatchBook {
  /** As `reserve`, for a call that is asked in a batch; it keeps its place until its batch ends. */
  reserveInBatch(fence: Fence, call: CallToReserve): Promise<BatchReservation>;
  /** How many calls of this step wait for a batch or in one, and since when; null if none does. */
  batchedOf(unit: string): Promise<{ readonly lines: number; readonly sinceMs: number } | null>;
  batchQueues(): Promise<readonly BatchQueue[]>;
  /** Makes a batch of the model's oldest waiting calls. Throws `FencedError` for an old fence, as all changes below. */
  makeBatch(fence: Fence, answeringModel: string, uuid: string, most: number): Promise<BatchRecord>;
  /** Batches that have not ended, oldest first. */
  openBatches(): Promise<readonly BatchRecord[]>;
  lastBatch(answeringModel: string): Promise<EndedBatch | null>;
  changeBatch(fence: Fence, batch: number, change: BatchChange): Promise<BatchRecord>;
  /** Waiting lines of a batch, in order, after the given intent. */
  batchLines(batch: number, afterIntent: number, most: number): Promise<readonly BatchLine[]>;
  /**
   * The waiting line with this `custom_id`, which an endpoint may have changed to any text; undefined if the batch has
   * none, or it has ended.
   */
  batchLine(batch: number, callKey: string): Promise<BatchLine | undefined>;
  /** Puts the lines of a batch from this intent on back to those that wait for one; all of them from 0 on. */
  unbatchLines(fence: Fence, batch: number, fromIntent: number): Promise<void>;
  /** Takes back up to `most` reservations: nothing was answered or charged. Returns how many. */
  releaseLines(fence: Fence, at: LinesToRelease, most: number): Promise<number>;
}
