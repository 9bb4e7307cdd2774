/** How long a model has answered nothing although it was asked: what a run waits for, and when it stops the model. */
import type { NotedFailing } from '../../storage/ledger/noted-facts.ts';

/** A shorter streak is not worth a word: a retry or two. */
const notedAfterMs = 3_000;

export interface FailingStreak {
  /** Returns what to note for `status` and the progress line, once per streak. */
  failed(reason: string, nowMs: number): NotedFailing | null;
  answered(): void;
  /** Whether nothing was answered since then. */
  lastsSince(ms: number): boolean;
}

/** @param answeringModel its id in the spec */
export function createFailingStreak(answeringModel: string): FailingStreak {
  let sinceMs: number | null = null;
  let isNoted = false;
  return {
    failed(reason, nowMs) {
      sinceMs ??= nowMs;
      if (isNoted || nowMs - sinceMs < notedAfterMs) return null;
      isNoted = true;
      return { answeringModel, reason, sinceMs };
    },
    answered() {
      [sinceMs, isNoted] = [null, false];
    },
    lastsSince: (ms) => sinceMs !== null && sinceMs <= ms,
  };
}
