/** The ledger's contract on PostgreSQL, with the role of workers and the runs of all tests in the same tables. */
import { wholeLedgerContract } from '../ledger/whole-contract.ts';
import { onPostgres } from './on-postgres.ts';
import { newRunAddress } from './run-address.ts';

onPostgres('the ledger on PostgreSQL', () => {
  // What comes at one moment is answered in groups by what it is, not in its order.
  wholeLedgerContract(newRunAddress, { atOnce: false, runs: 25 });
});
