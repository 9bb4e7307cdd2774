/** Where the states of accounts are kept that several processes share: a seam with one contract (test/contract). */
import { type AccountState, newAccountState } from '../../../domain/accounts/account-state.ts';

/** Accounts with the same endpoint and key variable share their limits, whatever name a spec gives them. */
export interface AccountIdentity {
  readonly endpoint: string;
  readonly keyVariable: string | null;
}

/** It holds only what a few days need, and may be emptied when nothing runs. */
export interface AccountStore {
  /**
   * Changes an account's state while nobody else does; a state that was not stored yet is a new one. `work` changes
   * the state that it is given and nothing else, since a store may have to call it again. Its time is the store's own
   * clock, Unix milliseconds, so that hosts need not agree on the time. Rejects only if nothing was stored, as when
   * `work` throws: a store that lost its answer finds out first.
   */
  change<T>(identity: AccountIdentity, work: (state: AccountState, nowMs: number) => T): Promise<T>;
  /** The states of all accounts used in the last week. Creates nothing. */
  states(): Promise<readonly AccountState[]>;
  close(): Promise<void>;
}

/** Older versions stored fewer fields. */
export const storedState = (json: string): AccountState => ({
  ...newAccountState(),
  ...(JSON.parse(json) as Partial<AccountState>),
});
