import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';

/** Opens the ledger at an address of a test, in whatever process: the path of a file. */
export const openLedgerAt = async (address: string): Promise<Ledger> => openLedger(address);
