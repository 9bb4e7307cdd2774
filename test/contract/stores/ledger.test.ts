import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ledgerContract } from './ledger-contract.ts';
import { ledgerKillsContract } from './ledger-kills-contract.ts';

const newAddress = (): string => join(temporaryFolder(), 'ledger.sqlite');
ledgerContract(newAddress);
ledgerKillsContract(newAddress);
