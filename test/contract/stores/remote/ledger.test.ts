/** The ledger's contract on PostgreSQL, with the role of workers and another run in the same tables. */
import { ledgerContract } from '../ledger-contract.ts';
import { ledgerKillsContract } from '../ledger-kills-contract.ts';
import { onPostgres } from './on-postgres.ts';
import { newRunAddress } from './run-address.ts';

onPostgres('the ledger on PostgreSQL', () => {
  ledgerContract(newRunAddress);
  ledgerKillsContract(newRunAddress);
});
