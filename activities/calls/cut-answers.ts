/**
 * Counts answers that a limit on their length cut off, for the progress line and `status`: a limit that is too low for
 * a model should be seen while it can still be changed. The exact counts are those of table `samples`.
 */
import { randomUUID } from 'node:crypto';
import { cutAnswersPrefix } from '../storage/ledger/noted-facts.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import type { Ledger } from '../storage/ledger/ledger.ts';

export type NoteCutAnswers = (model: string, replies: readonly Pick<ChatReply, 'finishReason'>[]) => Promise<void>;

/** Up to this many of a model are stored one by one; later ones in groups, so that the facts of a run stay few. */
const singly = 100;
const group = 50;

export function createCutAnswers(ledger: Pick<Ledger, 'saveFact'>): NoteCutAnswers {
  const counts = new Map<string, { stored: number; waiting: number }>();
  return async (model, replies) => {
    const cut = replies.filter(({ finishReason }) => finishReason === 'length').length;
    if (cut === 0) return;
    const count = counts.get(model) ?? { stored: 0, waiting: 0 };
    counts.set(model, count);
    count.waiting += cut;
    if (count.stored >= singly && count.waiting < group) return;
    const answers = count.waiting;
    count.stored += answers;
    count.waiting = 0;
    await ledger.saveFact(`${cutAnswersPrefix}${randomUUID()}`, JSON.stringify({ model, answers }));
  };
}
