import type { Allowances } from '../../../domain/accounts/allowance.ts';
import type { ChatReply } from '../../../schemas/chat.ts';
import type { ProviderFault } from '../../providers/provider.ts';

/** Result of one attempt; `busy` and `unasked` attempts sent nothing. */
export type CallOutcome = Delivered | 'busy' | 'unasked' | ProviderFault;

export interface Delivered {
  /** Replies from the endpoint; empty if the answers were already stored. */
  readonly replies: readonly ChatReply[];
  /** What the endpoint reports as left of its limits. */
  readonly allowances?: Allowances;
}
