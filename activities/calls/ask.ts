/** Asks a question: reserve, send, commit; retries until it is answered or no longer allowed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Allowances } from '../../domain/accounts/allowance.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { StopReason } from '../../schemas/states.ts';
import type { At } from '../../studies/cell-state.ts';
import type { Delivered } from './accounts/accounts.ts';
import { type Call, callFor, type Draws, faultChargeOf, isBatched, questionAt, wasBatched } from './call.ts';
import { closeModel } from './close-model.ts';
import type { PageCell } from '../pages/cell-states.ts';
import type { StepCells } from '../pages/page-cells.ts';
import { draining, endedByDrain, drainFailure, providerClosed, unanswered } from '../failures.ts';
import { replyWithout } from '../providers/openai-body.ts';
import { type Provider, ProviderFault } from '../providers/provider.ts';
import type { AskedModel } from './asked-model.ts';
import type { EarlierAttempts } from './attempts/earlier-attempts.ts';
import { failureText, isBilledRefusal, longestWaitMs } from './attempts/failure-text.ts';
import { checkControl, pageStopped } from '../runs/page-control.ts';
import type { RunPage } from '../runs/runs.ts';
import { waitUnless } from '../waiting-steps.ts';
import { keptForNow, madeWhenAdmitted } from './late-requests.ts';
import { noteNoRoom } from './no-room.ts';
import { type Answers, repliesIn, type SentIntent, storeReplies } from './store-replies.ts';
import { reusedAnswers } from './reuse.ts';
import { sharedRequests } from './shared-requests.ts';
import { plausibleReplies } from './plausible-replies.ts';
import { noteOverrun } from './overruns.ts';
import { mostAnswers, noteRefusalOfSeveral } from './single-answers.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Fence } from '../storage/ledger/fence.ts';
import { failingFact } from '../storage/ledger/noted-facts.ts';

/**
 * Attempts at one call under one owner of the run, on whatever workers: about four minutes with the pauses between
 * them. Each may be billed, so the step is not retried on top of them.
 */
const maxAsks = 12;
/** Attempts if the answer is too long to accept: each was sent, and may be billed. */
const maxLongAnswers = 3;
const busyPollMs = 50;
/** A closed account may be opened by hand, so its calls are retried this often. */
const lookAgainMs = 30_000;
const refusedPauseMs = 100;
const firstPauseMs = 500;

export interface Step {
  readonly page: RunPage;
  readonly fence: Fence;
  readonly signal: AbortSignal;
  /** True once another attempt runs, or will run: nothing more is sent, and answers in flight are kept. */
  readonly isOverdue: () => boolean;
  /** Counts the calls in flight of the step. */
  readonly held: { inFlight: number };
  /** Aborted once no new call may be sent: the worker stops, or the step moves to another worker. */
  readonly drain: AbortSignal;
  /** Set by the first call that fails for good; the others then start nothing new. */
  halt: { readonly error: unknown } | null;
  /** True once a question waits for a batch: the step then goes on when the batch has ended. */
  waits: boolean;
  /** False if no cell had an answer at this place when the step got there: then none is looked up. */
  readonly mayHaveAnswer: (at: At) => boolean;
  readonly cells: StepCells;
  readonly earlier: EarlierAttempts;
  /** True once a call may no longer be made, so waiting for its account is useless. */
  readonly shouldStopWaiting: () => boolean;
}

/**
 * Asks for draws that share a request, and again for those left unanswered.
 * All are answered unless the step was halted.
 */
export async function ask(step: Step, cell: PageCell, draws: Draws): Promise<Answers> {
  const answers = await askOnce(step, cell, draws);
  if (answers === 'waits') {
    step.waits = true;
    return draws.map(() => null);
  }
  const missing = step.halt ? [] : draws.filter((_, place) => !answers[place]);
  if (missing.length === 0) return draws.map((_, place) => answers[place] ?? null);
  const requests = await sharedRequests(step.page, cell, missing);
  const later = (await Promise.all(requests.map((request) => ask(step, cell, request)))).flat();
  return draws.map((_, place) => answers[place] ?? later.shift() ?? null);
}

/** Sends one request; empty if none was made or the endpoint refused several answers per request. */
async function askOnce(step: Step, cell: PageCell, draws: Draws): Promise<Answers | 'waits'> {
  const { page } = step;
  const put = keptForNow(() => questionAt(page, cell, draws[0]));
  const { model } = put();
  const provider = await model.provider();
  const callOf = (some: Draws): Call =>
    callFor(page, cell, some, some === draws ? put() : questionAt(page, cell, some[0]), provider.endpointIdentity);
  const reused = await reusedAnswers({ ...step, model }, draws, (at) => callOf([at]).reserve);
  if (reused !== null) return reused;
  if (isBatched(page, model)) {
    const placed = await placeInBatch(step, callOf(draws), model);
    if (placed !== 'ordinary') return placed;
  }
  const callNow = madeWhenAdmitted(() => callOf(draws), page, model);
  const earlier = await step.earlier(cell.index, draws);
  if (earlier.attempts >= maxAsks) {
    await checkControl(page, step.drain);
    throw noAnswer(model, earlier.attempts, earlier.failure);
  }
  let firstFailedMs = Number.POSITIVE_INFINITY;
  for (let attempt = earlier.attempts + 1; ; ) {
    const outcome = await model.account.use(
      () => tryOnce(step, callNow(), model, provider, attempt),
      () => callNow().expected,
      step.shouldStopWaiting,
      { model: page.model, rank: page.rank },
    );
    if (outcome === 'unasked') return [];
    if (outcome === 'busy') {
      const placed = wasBatched(page, model) ? await placeInBatch(step, callNow(), model) : 'ordinary';
      if (placed !== 'ordinary') return placed;
      await pause(busyPollMs);
    } else if (!(outcome instanceof ProviderFault)) {
      if (outcome.replies.length > 0) model.streak.answered();
      return outcome.answers;
    } else if (outcome.kind === 'single') return [];
    else {
      // One moment for both, or the streak seems to begin after its first failure.
      const failedMs = Date.now();
      firstFailedMs = Math.min(firstFailedMs, failedMs);
      await noteFailing(step, model, outcome, failedMs);
      await waitOut(outcome, { attempt, earlier: earlier.attempts, firstFailedMs }, model, step);
      attempt += 1;
    }
  }
}

/**
 * Its place in a batch is durable on return: whoever makes the batch finds it. `ordinary`: it is asked by itself. A
 * call that an earlier owner placed keeps its place.
 */
async function placeInBatch(step: Step, call: Call, model: AskedModel): Promise<Answers | 'waits' | 'ordinary'> {
  if (step.halt) return 'waits';
  await refuseToAsk(step);
  const { ledger } = step.page.run;
  if (await asksForTooMany(step, call, model)) return [];
  const reservation = await ledger.reserveInBatch(step.fence, call.reserve);
  if (reservation.kind === 'answered') return repliesIn(reservation.replies);
  if (reservation.kind === 'stop')
    throw await refused(step, { ...call.reserve, ...call.reserve.inBatch }, reservation.reason);
  return reservation.kind === 'ordinary' ? 'ordinary' : 'waits';
}

const asksForTooMany = async ({ page }: Step, { reserve }: Call, model: AskedModel): Promise<boolean> =>
  reserve.callKeys.length > 1 && reserve.callKeys.length > (await mostAnswers(page.run.ledger, model));

async function refuseToAsk({ drain, signal, page }: Step): Promise<void> {
  if (drain.aborted) throw drainFailure(drain);
  signal.throwIfAborted();
  await page.run.checkOwner();
}

/** For `status` and the progress line: what is waited for. */
async function noteFailing(
  { page, fence }: Step,
  model: AskedModel,
  fault: ProviderFault,
  nowMs: number,
): Promise<void> {
  const noted = model.streak.failed(fault.unsent ?? failureText(fault), nowMs);
  if (noted !== null) await page.run.ledger.saveFact(failingFact(fence.epoch, noted), JSON.stringify(noted));
}

/**
 * The endpoint has replied. `answers` resolves when the replies are durable; the account's slot is free before that.
 */
interface Answered extends Delivered {
  readonly answers: Promise<Answers>;
}

/**
 * One attempt: reserve, send, commit. Returns a fault that may pass; throws one that stops the model. `unasked`: the
 * step was halted, or the request asks for more answers than the model now allows.
 */
async function tryOnce(
  step: Step,
  call: Call,
  model: AskedModel,
  provider: Provider,
  attempt: number,
): Promise<Answered | 'busy' | 'unasked' | ProviderFault> {
  if (step.halt) return 'unasked';
  await refuseToAsk(step);
  const { ledger } = step.page.run;
  if (await asksForTooMany(step, call, model)) return 'unasked';
  const reservation = await ledger.reserve(step.fence, call.reserve);
  if (reservation.kind === 'answered') return answered(Promise.resolve(repliesIn(reservation.replies)), []);
  if (reservation.kind === 'busy') return 'busy';
  if (reservation.kind === 'stop') throw await refused(step, call.reserve, reservation.reason);
  if (step.signal.aborted) await ledger.release(reservation.intent, 'the step was cut off');
  if (step.isOverdue()) {
    await ledger.release(reservation.intent, 'the worker stood still for too long');
    throw draining();
  }
  step.signal.throwIfAborted();
  const startedAt = performance.now();
  const sentAt = new Date();
  const intent = (): SentIntent => ({ number: reservation.intent, sentAt, latencyMs: performance.now() - startedAt });
  step.held.inFlight += 1;
  try {
    let allowances: Allowances = {};
    const asked = await provider.ask(call.request, call.coordinates, step.signal, (said) => (allowances = said));
    const replies = plausibleReplies(asked, call.bounds);
    return { ...answered(storeReplies(step.page, call, model, intent(), replies), replies), allowances };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    if (error.kind === 'too long' && attempt >= maxLongAnswers) {
      const none = call.reserve.callKeys.map(() => replyWithout('reply_too_long', null));
      return answered(storeReplies(step.page, call, model, intent(), none), none);
    }
    if (error.unsent !== null) await ledger.release(reservation.intent, error.unsent);
    else {
      const charge = faultChargeOf(model, error, call, sentAt);
      await ledger.fail(reservation.intent, failureText(error), charge, performance.now() - startedAt);
      await noteOverrun(ledger, call.reserve, charge);
    }
    if (error.kind === 'stop') throw await closeModel(step.page, model, error);
    if (error.kind === 'single') await noteRefusalOfSeveral(ledger, { model: model.id, message: error.message });
    return error;
  } finally {
    step.held.inFlight -= 1;
  }
}

function answered(answers: Promise<Answers>, replies: readonly ChatReply[]): Answered {
  // Avoids an unhandled rejection; whoever awaits `answers` still gets the error.
  answers.catch(() => {});
  return { answers, replies };
}

async function refused({ page, fence }: Step, call: CallToReserve, reason: StopReason): Promise<Error> {
  if (reason === 'budget') await noteNoRoom(page.run.ledger, fence.epoch, call);
  const detail = (await page.run.ledger.stopOf(page.model))?.detail ?? `the run takes no further calls: ${reason}`;
  return pageStopped(page, reason, detail);
}

/** The endpoint of a model that answered nothing else meanwhile: no further call would be answered either. */
const gone = ({ message }: ProviderFault, attempts: number, model: string): ProviderFault =>
  new ProviderFault(
    'stop',
    `nothing was answered during ${attempts} attempts at one call, the last with: ${message}. Once the endpoint ` +
      `answers again, resume the run; --model ${model} retries this model alone`,
    { specField: { of: 'provider', path: ['baseUrl'] } },
  );

const noAnswer = (model: AskedModel, attempts: number, failure: string): Error =>
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
 * Waits before the next attempt. A model whose endpoint is gone is stopped. If the account is closed for longer than a
 * step should wait, Temporal retries the step later; after too many failures the page fails.
 */
async function waitOut(
  fault: ProviderFault,
  attempts: Attempts,
  model: AskedModel,
  { page, signal, drain, shouldStopWaiting }: Step,
): Promise<void> {
  const { retryAfterMs, httpStatus, message } = fault;
  const { attempt, earlier } = attempts;
  if (retryAfterMs !== null && retryAfterMs > longestWaitMs)
    throw providerClosed(`${model.id}: ${message}`, lookAgainMs);
  if (attempt >= maxAsks && httpStatus === 429 && !isBilledRefusal(fault))
    throw providerClosed(`${model.id}: ${message}`, longestWaitMs);
  if (attempt >= maxAsks && isGone(model, attempts))
    throw await closeModel(page, model, gone(fault, attempt - earlier, page.model));
  if (attempt >= maxAsks) throw noAnswer(model, attempt, message);
  // The account itself is now closed for that long, or slowed down, and delays this call.
  if (retryAfterMs !== null && retryAfterMs > 0) return;
  const first = httpStatus === 429 ? refusedPauseMs : firstPauseMs;
  const ms = Math.min(longestWaitMs, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  await endedByDrain(drain, signal, (either) => waitUnless(shouldStopWaiting, ms, either));
}
