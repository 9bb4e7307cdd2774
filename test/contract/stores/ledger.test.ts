import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { wholeLedgerContract } from './ledger/whole-contract.ts';

wholeLedgerContract(() => join(temporaryFolder(), 'ledger.sqlite'), { atOnce: true, runs: 80 });
