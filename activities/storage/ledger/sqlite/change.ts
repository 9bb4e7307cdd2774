/** A change in one immediate transaction, durable before its promise resolves. */
import type { LedgerDatabase } from './ledger-transactions.ts';
import type { Totals } from './totals.ts';
import type { WriteGate } from './write-gate.ts';

export type Change = <T>(work: (totals: Totals) => T) => Promise<T>;

export const changesOf = ({ immediate }: Pick<LedgerDatabase, 'immediate'>, gate: Pick<WriteGate, 'held'>): Change =>
  async function change(work) {
    while (gate.held !== undefined) await gate.held;
    return immediate(work);
  };
