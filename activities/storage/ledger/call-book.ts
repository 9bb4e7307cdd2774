/** Calls from their reservation to their end: what keeps a run from paying for one twice, and within its budget. */
import type { ChatReply } from '../../../schemas/chat.ts';
import type { StopReason } from '../../../schemas/states.ts';
import type { Fence } from './fence.ts';
import type { Charge, SampleKey, StoredReplies, StoredReply } from './records.ts';

export interface CallToReserve {
  /** The first requested sample. */
  readonly key: SampleKey;
  /**
   * One per requested sample, starting with the first: hex SHA-256 of endpoint identity, canonical request and draw.
   */
  readonly callKeys: readonly string[];
  /**
   * `model`: the model under study, whose stop flag counts. `answeringModel`: the model that is asked, such as a judge.
   */
  readonly model: string;
  readonly answeringModel: string;
  readonly parametersSent: string;
  /**
   * Highest cost of this call with all its answers; 0 for free kinds, null if the price is unknown (only allowed
   * without a USD budget).
   */
  readonly maxUsd: number | null;
  /** Charged if what it cost stays unknown: what it may cost at most, or a budget would not hold. */
  readonly estimatedUsd: number | null;
  readonly estimatedTokens: number;
  readonly maxTokens: number;
  readonly free: boolean;
  /** The same as a line of a batch; absent for a call that is not asked in one. */
  readonly inBatch?: { readonly maxUsd: number | null; readonly estimatedUsd: number | null };
}

export type Reservation =
  /**
   * Some or all replies exist already (from an earlier attempt, or another study's equal call);
   * their samples now point to them.
   */
  | { readonly kind: 'answered'; readonly replies: StoredReplies }
  | { readonly kind: 'go'; readonly intent: number }
  /**
   * Another live intent is asking for one of these calls, or open calls hold the room in the budget that this one
   * needs; try again shortly.
   */
  | { readonly kind: 'busy' }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** An attempt at a call that brought no reply. */
export interface FailedAttempt {
  /** The first requested sample. */
  readonly key: Omit<SampleKey, 'page'>;
  /** Number of requested samples, from the first on. */
  readonly samples: number;
  /** Null if the call was lost. */
  readonly failure: string | null;
}

/** Each change is one transaction, durable before its promise resolves; requests of one moment may share one. */
export interface CallBook {
  /**
   * Raises the unit's attempt under `epoch` (to `attempt`, or by one) and marks its older open intents lost, charged at
   * their estimate; batched ones stay. Other processes see it when it resolves; it need only be durable before the
   * first change that the fence makes. Throws `FencedError` for an old epoch, and for an attempt that is not newer than
   * the unit's last: its worker was suspended for so long that another has replaced it.
   */
  openUnit(unit: string, epoch: number, attempt?: number): Promise<Fence>;
  /**
   * Checks in one transaction, in this order: fence, existing reply, control, live intent, budget; then writes an
   * intent. Throws if one of the samples was answered under another call key: a run's requests do not change.
   */
  reserve(fence: Fence, call: CallToReserve): Promise<Reservation>;
  /**
   * Stores the replies (each with insert or ignore, under the call key of its sample) and one charge for all. Returns
   * the winning replies, the only ones ever used. Replies may be fewer than requested; surplus ones are ignored. A lost
   * intent may still be committed: the real charge replaces the estimate. A second commit of an intent changes nothing.
   * Throws for an intent that was closed as failed. `origin` names the run that the replies were copied from; null for
   * replies of this run. Such replies have no latency, and use no tokens of the budget.
   */
  commit(
    intent: number,
    replies: readonly ChatReply[],
    charge: Charge,
    latencyMs: number | null,
    origin?: string | null,
  ): Promise<StoredReplies>;
  /**
   * For a call that was reserved and never sent: it is in no count, and may be reserved again. Attempts are counted by
   * `why`. An intent that was closed meanwhile stays as it is.
   */
  release(intent: number, why: string): Promise<void>;
  /**
   * For a call without a reply: closes its intent as failed, with its possible cost. Failures are counted by their text
   * before the first colon. A second failure changes nothing; throws for an intent that was answered.
   */
  fail(intent: number, failure: string, charge: Charge, latencyMs: number): Promise<void>;
  /**
   * Calls that ended without a reply, failed or lost, in earlier attempts at the fence's unit under its epoch: in the
   * order in which they were reserved. Those that were never sent are not among them.
   */
  failedBefore(page: string, fence: Fence): Promise<readonly FailedAttempt[]>;
  /** The reply to a call, whoever asked it; later runs look replies up to reuse them. */
  reply(callKey: string): Promise<StoredReply | undefined>;
}
