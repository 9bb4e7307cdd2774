/** The attempts at one call under one owner of its run: how many it has, and the pauses between them. */
import { endedByDrain, providerClosed, unanswered } from '../../failures.ts';
import { ProviderFault } from '../../providers/provider.ts';
import type { RunPage } from '../../runs/opened/run.ts';
import type { Fence } from '../../storage/ledger/fence.ts';
import { failingFact } from '../../storage/ledger/noted-facts.ts';
import { waitUnless } from '../../waiting-steps.ts';
import type { CallOutcome } from '../accounts/call-outcome.ts';
import { whyUnreached } from '../accounts/reach.ts';
import type { AskedModel } from '../asked-model.ts';
import { closeModel } from '../close-model.ts';
import { noteFinalFailure } from './final-failure.ts';
import { failureText, isBilledRefusal, longestWaitMs } from './failure-text.ts';

/**
 * Attempts at one call under one owner of the run, on whatever workers: about four minutes with the pauses between
 * them. Each may be billed, so the step is not retried on top of them.
 */
export const maxAsks = 12;
/** A closed account may be opened by hand, so its calls are retried this often. */
const lookAgainMs = 30_000;
const refusedPauseMs = 100;
const firstPauseMs = 500;

/** The step that asks. */
interface Asker {
  readonly page: RunPage;
  readonly fence: Fence;
  readonly signal: AbortSignal;
  readonly drain: AbortSignal;
  readonly shouldStopWaiting: () => boolean;
}

export interface AttemptsAtCall {
  /** Number of the present one, from 1. */
  number(): number;
  /** What the latest attempt of another call met, where it holds for this one too; null: it is to be made. */
  known(): ProviderFault | null;
  /** Makes the present one. */
  make<Outcome extends CallOutcome>(once: () => Promise<Outcome>): Promise<Outcome>;
  /** Waits before the next one. Throws if there is to be none for now. */
  waitOut(fault: ProviderFault): Promise<void>;
}

/** @param earlier made by earlier attempts at the step */
export function attemptsAtCall(step: Asker, model: AskedModel, earlier: number): AttemptsAtCall {
  const { reach } = model.account;
  let number = earlier + 1;
  let firstFailedMs = Number.POSITIVE_INFINITY;
  let pauseEndMs = Number.NEGATIVE_INFINITY;
  let hasTurn = false;
  /** Whether the present one is made before its time, to learn whether the endpoint is back: it does not count. */
  let isEarly = false;
  /** Whether the present one takes what another call met. */
  let isKnown = false;
  return {
    number: () => number,
    known() {
      if (hasTurn || step.shouldStopWaiting()) return null;
      const why = reach.refusal(performance.now());
      isKnown = why !== null;
      return why === null ? null : new ProviderFault('retry', `${model.requestedModel}: ${why}`, { unsent: why });
    },
    async make(once) {
      const begunMs = performance.now();
      isEarly = begunMs < pauseEndMs;
      isKnown = false;
      const outcome = await once();
      if (!isKnown) reach.tried(outcome, begunMs, performance.now());
      hasTurn = false;
      return outcome;
    },
    async waitOut(fault) {
      // One moment for both, or the streak seems to begin after its first failure.
      const failedMs = Date.now();
      firstFailedMs = Math.min(firstFailedMs, failedMs);
      await noteFailing(step, model, fault, failedMs);
      const isUnreached = whyUnreached(fault) !== null;
      if (!isUnreached || !isEarly) {
        const pauseMs = await pauseAfter(fault, { attempt: number, earlier, firstFailedMs }, model, step.page);
        pauseEndMs = performance.now() + pauseMs;
        number += 1;
      }
      isEarly = false;
      const sinceMs = performance.now();
      const isOver = (): boolean => {
        if (step.shouldStopWaiting()) return true;
        const woken = isUnreached ? reach.wakes(sinceMs, performance.now()) : null;
        hasTurn = woken === 'turn';
        return woken !== null;
      };
      const leftMs = pauseEndMs - sinceMs;
      await endedByDrain(step.drain, step.signal, (either) => waitUnless(isOver, leftMs, either));
    },
  };
}

/** For `status` and the progress line: what is waited for. */
async function noteFailing(
  { page, fence }: Asker,
  model: AskedModel,
  fault: ProviderFault,
  nowMs: number,
): Promise<void> {
  const noted = model.streak.failed(fault.unsent ?? failureText(fault), nowMs);
  if (noted !== null) await page.run.ledger.saveFact(failingFact(fence.epoch, noted), JSON.stringify(noted));
}

/** The endpoint of a model that answered nothing else meanwhile: no further call would be answered either. */
const gone = ({ message }: ProviderFault, attempts: number, model: string): ProviderFault =>
  new ProviderFault(
    'stop',
    `nothing was answered during ${attempts} attempts at one call, the last with: ${message}. Once the endpoint ` +
      `answers again, resume the run; --model ${model} retries this model alone`,
    { specField: { of: 'provider', path: ['baseUrl'] } },
  );

export const noAnswer = (model: AskedModel, attempts: number, failure: string): Error =>
  unanswered(`${model.id}: ${attempts} attempts at one call failed, the last with: ${failure}`);

interface Attempts {
  /** Number of the present one. */
  readonly attempt: number;
  /** How many of them were earlier attempts' at the step. */
  readonly earlier: number;
  /** When the first one of this attempt at the step failed. */
  readonly firstFailedMs: number;
}

/**
 * Whether the model answered nothing since the call's first attempt. What was answered during attempts that this
 * process took over is not known to it, so it must then have waited for a while itself.
 */
const isGone = ({ streak }: AskedModel, { earlier, firstFailedMs }: Attempts): boolean =>
  streak.lastsSince(firstFailedMs) && (earlier === 0 || Date.now() - firstFailedMs >= longestWaitMs);

/**
 * Milliseconds to wait before the next attempt. A model whose endpoint is gone is stopped. If the account is closed for
 * longer than a step should wait, Temporal retries the step later; after too many failures the page fails.
 */
async function pauseAfter(fault: ProviderFault, attempts: Attempts, model: AskedModel, page: RunPage): Promise<number> {
  const { retryAfterMs, httpStatus, message } = fault;
  const { attempt, earlier } = attempts;
  if (retryAfterMs !== null && retryAfterMs > longestWaitMs)
    throw providerClosed(`${model.id}: ${message}`, Math.min(lookAgainMs, model.account.longestClosedMs));
  if (attempt >= maxAsks && httpStatus === 429 && !isBilledRefusal(fault))
    throw providerClosed(`${model.id}: ${message}`, longestWaitMs);
  if (attempt >= maxAsks && fault.unsent === null) await noteFinalFailure(page.run.ledger, failureText(fault));
  if (attempt >= maxAsks && isGone(model, attempts))
    throw await closeModel(page, model, gone(fault, attempt - earlier, page.model));
  if (attempt >= maxAsks) throw noAnswer(model, attempt, message);
  // The account itself is now closed for that long, or slowed down, and delays this call.
  if (retryAfterMs !== null && retryAfterMs > 0) return 0;
  const first = httpStatus === 429 ? refusedPauseMs : firstPauseMs;
  return Math.min(longestWaitMs, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
}
