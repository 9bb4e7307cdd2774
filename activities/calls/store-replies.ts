/** Stores what an endpoint replied, with its charge, and what is to be noted of its model. */
import type { ChatReply } from '../../schemas/chat.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import { notAskedFact } from '../storage/ledger/uncounted.ts';
import type { StoredReplies } from '../storage/ledger/records.ts';
import type { AskedModel } from './asked-model.ts';
import { type Call, chargeOf } from './call.ts';
import { closeModel } from './close-model.ts';
import { noteOverrun } from './overruns.ts';
import { noteFinalFailure } from './attempts/final-failure.ts';
import { otherVersion } from './attempts/version-stops.ts';

/** One per draw, in order; null for a draw without an answer. */
export type Answers = readonly (ChatReply | null)[];

export const repliesIn = (stored: StoredReplies): Answers => stored.map((one) => one?.reply ?? null);

/** Notes which of the replies only stand for a question that the recorded run never asked. */
export async function noteNotAsked(
  { run, study, model }: RunPage,
  { key, callKeys }: Pick<CallToReserve, 'key' | 'callKeys'>,
  replies: Answers,
): Promise<void> {
  const noted = replies.map(async (reply, place) => {
    if (reply?.notAsked !== true) return;
    const json = JSON.stringify({ study: study.name, model, callKey: callKeys[place] });
    await run.ledger.saveFact(notAskedFact({ ...key, sample: key.sample + place }), json);
  });
  await Promise.all(noted);
}

export interface SentIntent {
  readonly number: number;
  readonly sentAt: Date;
  readonly latencyMs: number;
}

/**
 * Stores the replies and returns those that count. If the model is strict, a reply from another version than the run's
 * first is paid for but not used.
 */
export async function storeReplies(
  page: RunPage,
  call: Call,
  model: AskedModel,
  { number: intent, sentAt, latencyMs }: SentIntent,
  replies: readonly ChatReply[],
): Promise<Answers> {
  const { ledger, versions, reasoners, noteCutAnswers } = page.run;
  const [first] = replies;
  if (first === undefined) throw new Error(`the provider of ${model.id} returned no reply and no fault`);
  const charge = chargeOf(model, first, call.reserve, sentAt);
  // Noted before anything is awaited: the account's next call starts now.
  const noted = Promise.all([
    ...[reasoners.note(model.id, first), noteCutAnswers(model.id, replies)],
    noteOverrun(ledger, call.reserve, charge),
  ]);
  // Whoever awaits it below still gets the error.
  noted.catch(() => {});
  // Before they are stored, or a killed command would count them as answers for ever.
  if (replies.some(({ notAsked }) => notAsked === true)) await noteNotAsked(page, call.reserve, replies);
  const change = await versions(model.id, first);
  if (change === null || !model.strictVersion) {
    const [stored] = await Promise.all([ledger.commit(intent, replies, charge, latencyMs), noted]);
    return repliesIn(stored);
  }
  const fault = otherVersion(change);
  await noted;
  await ledger.fail(intent, fault.message, charge, latencyMs);
  await noteFinalFailure(ledger, fault.message);
  throw await closeModel(page, model, fault);
}
