/** Takes answers to equal calls from other runs: they cost nothing, and wait for no account. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatReply } from '../../schemas/chat.ts';
import type { At } from '../../studies/cell-state.ts';
import { pageStopped } from '../runs/page-control.ts';
import type { RunPage } from '../runs/opened/run.ts';
import type { ReusedReply } from '../runs/reused-runs.ts';
import type { CallToReserve } from '../storage/ledger/call-book.ts';
import type { Charge } from '../storage/ledger/records.ts';
import type { Fence } from '../storage/ledger/fence.ts';
import type { AskedModel } from './asked-model.ts';

const busyPollMs = 50;

export interface Reusing {
  readonly page: RunPage;
  readonly fence: Fence;
  readonly model: AskedModel;
}

/**
 * One per draw, in order; null for a draw that no other run answered. Null if there is none at all.
 * @param callOf the call of a single draw
 */
export async function reusedAnswers(
  reusing: Reusing,
  draws: readonly At[],
  callOf: (at: At) => CallToReserve,
): Promise<readonly (ChatReply | null)[] | null> {
  const { reused } = reusing.page.run;
  if (!reused.any) return null;
  const answers = await Promise.all(
    draws.map(async (at) => {
      const call = callOf(at);
      const found = await reused.find(call.callKeys[0] ?? '');
      return found !== undefined && (await isRightVersion(reusing, found)) ? take(reusing, call, found) : null;
    }),
  );
  return answers.some((answer) => answer !== null) ? answers : null;
}

/** A strict model takes only answers of the version that its run first got. */
async function isRightVersion({ page, model }: Reusing, { reply }: ReusedReply): Promise<boolean> {
  const change = await page.run.versions(model.id, reply);
  return change === null || !model.strictVersion;
}

/** Nothing is sent, so nothing is held in the budget. A reply that the run already has comes first. */
async function take({ page, fence }: Reusing, call: CallToReserve, found: ReusedReply): Promise<ChatReply | null> {
  const { ledger } = page.run;
  const free = { ...call, maxUsd: 0, estimatedUsd: 0, estimatedTokens: 0, maxTokens: 0, free: true };
  for (;;) {
    const reservation = await ledger.reserve(fence, free);
    if (reservation.kind === 'answered') return reservation.replies[0]?.reply ?? null;
    if (reservation.kind === 'stop')
      throw pageStopped(
        page,
        reservation.reason,
        (await ledger.stopOf(page.model))?.detail ?? 'the run takes no further calls',
      );
    if (reservation.kind === 'go') {
      const stored = await ledger.commit(reservation.intent, [found.reply], chargeOf(found.reply), null, found.origin);
      return stored[0]?.reply ?? null;
    }
    await pause(busyPollMs);
  }
}

const chargeOf = ({ inputTokens, cachedTokens, outputTokens, reasoningTokens }: ChatReply): Charge => ({
  ...{ inputTokens, cachedTokens, outputTokens, reasoningTokens },
  ...{ usd: 0, basis: 'free', priceDate: null },
});
