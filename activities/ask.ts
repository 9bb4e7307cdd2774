/** Putting a question: reserve, ask, commit, and again until there is an answer or there may be none. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Allowances } from '../domain/allowance.ts';
import type { ChatReply } from '../schemas/chat.ts';
import type { StopReason } from '../schemas/states.ts';
import type { At } from '../studies/study.ts';
import type { Brought } from './accounts.ts';
import { type Call, callFor, chargeOf, type Draws, faultCharge, questionAt } from './call.ts';
import type { PageCell } from './cell-states.ts';
import { draining, endedByDrain, leaving, providerClosed, stopped, unanswered } from './failures.ts';
import { replyWithout } from './providers/openai-body.ts';
import { type Provider, ProviderFault } from './providers/provider.ts';
import type { AskedModel, RunPage } from './runs.ts';
import { sharedRequests } from './shared-requests.ts';
import { believedReplies } from './believed-replies.ts';
import { mostAnswers, noteRefusalOfSeveral } from './single-answers.ts';
import type { Fence, StoredReplies } from './storage/ledger.ts';
import type { VersionChange } from './versions.ts';

/** Attempts at one call, about four minutes with the waits between them: each may be billed, and none are made behind them. */
const maxAsks = 12;
/** Of an answer that is too long to be taken: each was sent, and may be billed. */
const maxLongAnswers = 3;
/** Closures up to this long are waited out inside the step. */
const longestWaitMs = 60_000;
const busyPollMs = 50;
/** A closed account may be opened by hand. */
const lookAgainMs = 30_000;
const refusedPauseMs = 100;
const firstPauseMs = 500;

export interface Step {
  readonly page: RunPage;
  readonly fence: Fence;
  readonly signal: AbortSignal;
  /** True once another attempt acts for the step, or will: nothing more is sent, and what is in flight is kept. */
  readonly isOverdue: () => boolean;
  /** Counts the calls in flight of the step. */
  readonly held: { inFlight: number };
  /** Aborted once no new call may be sent: the worker stops, or the step goes to another one. */
  readonly drain: AbortSignal;
  /** Set by the first call that may not go on; the others then start nothing new. */
  halt: { readonly error: unknown } | null;
  /** False where no cell had an answer when the step came to this place: then none is looked for. */
  readonly mayBeKnown: (at: At) => boolean;
  /** True when a call that waits for its account need wait no longer: it may not be made. */
  readonly waitsNoMore: () => boolean;
}

/** One for each draw, in order; null for one without an answer. */
type Answers = readonly (ChatReply | null)[];

/** Asks for draws that share a request, and anew for those that it left unanswered; nothing is null unless the step was halted. */
export async function ask(step: Step, cell: PageCell, draws: Draws): Promise<Answers> {
  const answers = await askOnce(step, cell, draws);
  const missing = step.halt ? [] : draws.filter((_, place) => !answers[place]);
  const requests = sharedRequests(step.page, cell, missing);
  const later = (await Promise.all(requests.map((request) => ask(step, cell, request)))).flat();
  return draws.map((_, place) => answers[place] ?? later.shift() ?? null);
}

/** One request; empty where none was made or its form was refused. */
async function askOnce(step: Step, cell: PageCell, draws: Draws): Promise<Answers> {
  const { page } = step;
  const asked = questionAt(page, cell, draws[0]);
  const { model } = asked;
  const provider = await model.provider();
  const call = callFor(page, cell, draws, asked, provider.endpointIdentity);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await model.account.use(
      () => tryOnce(step, call, model, provider, attempt),
      call.reserve.estimatedTokens,
      step.waitsNoMore,
      { model: page.model, rank: page.rank },
    );
    if (outcome === 'unasked') return [];
    if (outcome === 'busy') await pause(busyPollMs);
    else if (!(outcome instanceof ProviderFault)) return outcome.answers;
    else if (outcome.kind === 'single') return [];
    else await waitOut(outcome, attempt, model, step);
  }
}

/** The endpoint's part is done: `answers` resolves when they are durable, and the account's place need not wait for that. */
interface Answered extends Brought {
  readonly answers: Promise<Answers>;
}

/**
 * One attempt: reserve, ask, commit. A fault that may pass is given back; one that stops the model is thrown. `unasked`: the step was halted, or
 * the request is for more than the model may be asked for by now.
 */
async function tryOnce(
  step: Step,
  call: Call,
  model: AskedModel,
  provider: Provider,
  attempt: number,
): Promise<Answered | 'busy' | 'unasked' | ProviderFault> {
  if (step.halt) return 'unasked';
  if (step.drain.aborted) throw leaving(step.drain);
  step.signal.throwIfAborted();
  step.page.run.checkOwner();
  const { ledger } = step.page.run;
  if (call.reserve.callKeys.length > mostAnswers(ledger, model)) return 'unasked';
  const reservation = await ledger.reserve(step.fence, call.reserve);
  if (reservation.kind === 'answered') return answered(Promise.resolve(repliesIn(reservation.replies)), []);
  if (reservation.kind === 'busy') return 'busy';
  // Calls in flight hold room for their maximum, and give most of it back.
  if (reservation.kind === 'stop' && reservation.reason === 'budget' && ledger.progress().liveIntents > 0) return 'busy';
  if (reservation.kind === 'stop') throw stopped(reservation.reason, stopDetail(step.page, reservation.reason));
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
    const replies = believedReplies(asked, call.bounds);
    return { ...answered(keep(step.page, call, model, intent(), replies), replies), allowances };
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    if (error.kind === 'too long' && attempt >= maxLongAnswers) {
      const none = call.reserve.callKeys.map(() => replyWithout('reply_too_long', null));
      return answered(keep(step.page, call, model, intent(), none), none);
    }
    if (error.unsent !== null) await ledger.release(reservation.intent, error.unsent);
    else await ledger.fail(reservation.intent, failureText(error), faultCharge(error, call.reserve), performance.now() - startedAt);
    if (error.kind === 'stop') throw closeModel(step.page, model, error);
    if (error.kind === 'single') await noteRefusalOfSeveral(ledger, { model: model.id, message: error.message });
    return error;
  } finally {
    step.held.inFlight -= 1;
  }
}

function answered(answers: Promise<Answers>, replies: readonly ChatReply[]): Answered {
  // Whoever waits for the answers hears of a failure; nobody has to before that.
  answers.catch(() => {});
  return { answers, replies };
}

const repliesIn = (stored: StoredReplies): Answers => stored.map((one) => one?.reply ?? null);

interface SentIntent {
  readonly number: number;
  readonly sentAt: Date;
  readonly latencyMs: number;
}

/** Gives back the replies that count. One of another version than the run's first is paid for and not used where the model is strict. */
async function keep(
  page: RunPage,
  call: Call,
  model: AskedModel,
  { number: intent, sentAt, latencyMs }: SentIntent,
  replies: readonly ChatReply[],
): Promise<Answers> {
  const { ledger, versions } = page.run;
  const [first] = replies;
  if (first === undefined) throw new Error(`the provider of ${model.id} brought no reply and no fault`);
  const charge = chargeOf(model, first, call.reserve, sentAt);
  const change = await versions(model.id, first);
  if (change === null || !model.strictVersion) return repliesIn(await ledger.commit(intent, replies, charge, latencyMs));
  const fault = otherVersion(change);
  await ledger.fail(intent, fault.message, charge, latencyMs);
  throw closeModel(page, model, fault);
}

const otherVersion = ({ field, first, now }: VersionChange): ProviderFault =>
  new ProviderFault(
    'stop',
    `another version: ${field === 'fingerprint' ? 'fingerprint ' : ''}${now} answers in place of ${first}, and strictVersion keeps them apart; start a new run for it`,
    { specField: { of: 'model', path: ['strictVersion'] } },
  );

/** Failures are counted by what stands before the colon. */
function failureText({ kind, httpStatus, message }: ProviderFault): string {
  if (kind === 'single') return `n refused: ${message}`;
  return `${httpStatus === null ? 'no usable answer' : `HTTP ${httpStatus}`}: ${message}`;
}

function stopDetail(page: RunPage, reason: StopReason): string {
  return page.run.ledger.stopOf(page.model)?.detail ?? `the run takes no further calls: ${reason}`;
}

function closeModel(page: RunPage, model: AskedModel, fault: ProviderFault): Error {
  const detail = `${model.id}: ${fault.message} (${model.specPlace(fault.specField)})`;
  page.run.ledger.setStop(page.model, 'model_stopped', detail);
  return stopped('model_stopped', detail);
}

/** Waits before the next attempt. Closures that are longer than a step should wait go back to Temporal; a hopeless series ends the page. */
async function waitOut(fault: ProviderFault, attempt: number, model: AskedModel, { signal, drain }: Step): Promise<void> {
  const { retryAfterMs, httpStatus, message } = fault;
  if (retryAfterMs !== null && retryAfterMs > longestWaitMs) throw providerClosed(`${model.id}: ${message}`, lookAgainMs);
  if (attempt >= maxAsks && httpStatus === 429) throw providerClosed(`${model.id}: ${message}`, longestWaitMs);
  if (attempt >= maxAsks) throw unanswered(`${model.id}: ${attempt} attempts at one call failed, the last with: ${message}`);
  // The account is closed for as long as the endpoint says, or has slowed down, and keeps this call waiting too.
  if (retryAfterMs !== null && retryAfterMs > 0) return;
  const first = httpStatus === 429 ? refusedPauseMs : firstPauseMs;
  const ms = Math.min(longestWaitMs, first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
  await endedByDrain(drain, signal, (either) => pause(ms, undefined, { signal: either }));
}
