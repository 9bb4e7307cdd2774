/** Asks a question: reserve, send, commit; retries until it is answered or no longer allowed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Allowances } from '../../domain/accounts/allowance.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { StopReason } from '../../schemas/states.ts';
import type { At } from '../../studies/cell-state.ts';
import type { Delivered } from './accounts/call-outcome.ts';
import { type Call, callFor, type Draws, faultChargeOf, isBatched, questionAt, wasBatched } from './call.ts';
import { closeModel } from './close-model.ts';
import type { PageCell } from '../pages/cell-states.ts';
import type { StepCells } from '../pages/page-cells.ts';
import { draining, drainFailure } from '../failures.ts';
import { replyWithout } from '../providers/openai-body.ts';
import { type Provider, ProviderFault } from '../providers/provider.ts';
import type { AskedModel } from './asked-model.ts';
import { type AttemptsAtCall, attemptsAtCall, maxAsks, noAnswer } from './attempts/attempts-at-a-call.ts';
import type { EarlierAttempts } from './attempts/earlier-attempts.ts';
import { noteFinalFailure } from './attempts/final-failure.ts';
import { failureText } from './attempts/failure-text.ts';
import { checkControl, pageStopped } from '../runs/page-control.ts';
import type { RunPage } from '../runs/opened/run.ts';
import { keptForNow, madeWhenAdmitted } from './late-requests.ts';
import { noteNoRoom } from './no-room.ts';
import { type Answers, noteNotAsked, repliesIn, type SentIntent, storeReplies } from './store-replies.ts';
import { reusedAnswers } from './reuse.ts';
import { sharedRequests } from './shared-requests.ts';
import { plausibleReplies } from './plausible-replies.ts';
import { noteOverrun } from './overruns.ts';
import { mostAnswers, noteRefusalOfSeveral } from './single-answers.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { StoredReplies } from '../storage/ledger/records.ts';
import type { Fence } from '../storage/ledger/fence.ts';

/** Attempts if the answer is too long to accept: each was sent, and may be billed. */
const maxLongAnswers = 3;
const busyPollMs = 50;

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
    callFor(page, cell, some, some === draws ? put() : questionAt(page, cell, some[0]), provider);
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
  const attempts = attemptsAtCall(step, model, earlier.attempts);
  for (;;) {
    const outcome = await model.account.use(
      () => attempts.make(() => tryOnce(step, callNow(), model, provider, attempts)),
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
    else await attempts.waitOut(outcome);
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
  attempts: AttemptsAtCall,
): Promise<Answered | 'busy' | 'unasked' | ProviderFault> {
  if (step.halt) return 'unasked';
  await refuseToAsk(step);
  const met = attempts.known();
  if (met !== null) return met;
  const { ledger } = step.page.run;
  if (await asksForTooMany(step, call, model)) return 'unasked';
  const reservation = await ledger.reserve(step.fence, call.reserve);
  if (reservation.kind === 'answered') return answered(known(step, call, reservation.replies), []);
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
    if (error.kind === 'too long' && attempts.number() >= maxLongAnswers) {
      const none = call.reserve.callKeys.map(() => replyWithout('reply_too_long', null));
      return answered(storeReplies(step.page, call, model, intent(), none), none);
    }
    if (error.unsent !== null) await ledger.release(reservation.intent, error.unsent);
    else {
      const charge = faultChargeOf(model, error, call, sentAt);
      await ledger.fail(reservation.intent, failureText(error), charge, performance.now() - startedAt);
      await noteOverrun(ledger, call.reserve, charge);
    }
    if (error.kind === 'stop' && error.unsent === null) await noteFinalFailure(ledger, failureText(error));
    if (error.kind === 'stop') throw await closeModel(step.page, model, error);
    if (error.kind === 'single') await noteRefusalOfSeveral(ledger, { model: model.id, message: error.message });
    return error;
  } finally {
    step.held.inFlight -= 1;
  }
}

/** Replies to the same question elsewhere in the run. */
async function known({ page }: Step, { reserve }: Call, stored: StoredReplies): Promise<Answers> {
  const answers = repliesIn(stored);
  await noteNotAsked(page, reserve, answers);
  return answers;
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
