/** The ledger's types, by the methods that they belong to. */
import type { Ledger } from '../../ledger/ledger.ts';

export type Fence = Parameters<Ledger['reserve']>[0];
export type CallToReserve = Parameters<Ledger['reserve']>[1];
export type Reservation = Awaited<ReturnType<Ledger['reserve']>>;
export type Charge = Parameters<Ledger['commit']>[2];
export type StoredReplies = Awaited<ReturnType<Ledger['commit']>>;
export type StoredReply = NonNullable<StoredReplies[number]>;
export type PlannedPage = Parameters<Ledger['addPages']>[0][number];
export type Budget = Parameters<Ledger['setBudget']>[0];
export type Calls = Pick<Ledger, 'reserve' | 'commit' | 'release' | 'fail'>;
