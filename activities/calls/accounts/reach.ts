/**
 * Whether an endpoint can be reached, for all calls of this process. While nothing accepts a connection there, one call
 * after the other tries, and what it meets holds for the others too.
 */
import { ProviderFault } from '../../providers/provider.ts';
import type { CallOutcome } from './call-outcome.ts';

export interface Reach {
  /** Why a call is not to try now; null if it may. Of the calls that ask, one gets the turn when it is due. */
  refusal(nowMs: number): string | null;
  /**
   * Why a call that found no connection is to go on before its pause is over: it has the turn to try, or the endpoint
   * is back. Null: it is to wait on.
   */
  wakes(failedMs: number, nowMs: number): 'turn' | 'back' | null;
  /** What an attempt met that began at `begunMs`. */
  tried(outcome: CallOutcome, begunMs: number, nowMs: number): void;
}

interface Outage {
  readonly sinceMs: number;
  why: string;
  pauseMs: number;
  /** When the next call has the turn to try. */
  nextMs: number;
}

const firstPauseMs = 500;
/** A run goes on so soon after its endpoint is back. */
const longestPauseMs = 2_000;
/** After a shorter outage no call is woken: an endpoint that refuses some connections and accepts others has many. */
const wakesAfterMs = 2_000;

/** Times are those of `performance.now()`. */
export function createReach(): Reach {
  let outage: Outage | null = null;
  let backMs = Number.NEGATIVE_INFINITY;

  function takesTurn(nowMs: number): boolean {
    if (outage === null || nowMs < outage.nextMs) return false;
    outage.pauseMs = Math.min(longestPauseMs, 2 * outage.pauseMs);
    outage.nextMs = nowMs + outage.pauseMs;
    return true;
  }

  return {
    refusal: (nowMs) => (outage === null || takesTurn(nowMs) ? null : outage.why),
    wakes(failedMs, nowMs) {
      if (outage === null) return backMs > failedMs ? 'back' : null;
      return takesTurn(nowMs) ? 'turn' : null;
    },
    tried(outcome, begunMs, nowMs) {
      const why = whyUnreached(outcome);
      if (why !== null) {
        outage ??= { sinceMs: nowMs, why, pauseMs: firstPauseMs, nextMs: nowMs + firstPauseMs };
        outage.why = why;
      } else if (outage !== null && wasNotSent(outcome)) outage.nextMs = Math.min(outage.nextMs, nowMs);
      else if (outage !== null && wasReached(outcome, begunMs > outage.sinceMs)) {
        if (nowMs - outage.sinceMs >= wakesAfterMs) backMs = nowMs;
        outage = null;
      }
    },
  };
}

/** Null if it was reached, or nobody tried. */
export const whyUnreached = (outcome: CallOutcome): string | null =>
  outcome instanceof ProviderFault && outcome.kind === 'retry' && outcome.retryAfterMs === null ? outcome.unsent : null;

/** It has its answer from elsewhere, or waits for something else: the turn is another call's. */
const wasNotSent = (outcome: CallOutcome): boolean =>
  outcome === 'busy' || outcome === 'unasked' || (!(outcome instanceof ProviderFault) && outcome.replies.length === 0);

/** A connection that was lost says nothing if it was there before. */
const wasReached = (outcome: CallOutcome, isNew: boolean): boolean =>
  !(outcome instanceof ProviderFault) || (outcome.unsent === null && (outcome.httpStatus !== null || isNew));
