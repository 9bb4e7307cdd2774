/** All that every ledger promises. */
import { onTestFinished } from 'vitest';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { page } from '../../../activities/storage/ledger/ledger-calls.ts';
import { openLedgerAt } from '../ledger-address.ts';
import { ledgerContract } from '../ledger-contract.ts';
import { ledgerKillsContract } from '../ledger-kills-contract.ts';
import { answersContract } from './answers-contract.ts';
import { attemptsContract } from './attempts-contract.ts';
import { batchesContract } from './batches-contract.ts';
import { modelContract } from './model-contract.ts';
import { sumsContract } from './sums-contract.ts';
import { textsContract } from './texts-contract.ts';

/** Opens a new ledger with one page of 1,000 cells, for one test. */
export type NewLedger = () => Promise<Ledger>;

/**
 * @param newAddress of a ledger without pages; see `openLedgerAt`
 * @param model of `modelContract`
 */
export function wholeLedgerContract(
  newAddress: () => string | Promise<string>,
  model: Parameters<typeof modelContract>[1],
): void {
  const newLedger = async (): Promise<Ledger> => {
    const ledger = await openLedgerAt(await newAddress());
    onTestFinished(() => ledger.close());
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 1 }]);
    return ledger;
  };
  ledgerContract(newAddress);
  ledgerKillsContract(newAddress);
  answersContract(newLedger);
  attemptsContract(newLedger);
  batchesContract(newLedger);
  modelContract(newLedger, model);
  sumsContract(newLedger);
  textsContract(newLedger);
}
