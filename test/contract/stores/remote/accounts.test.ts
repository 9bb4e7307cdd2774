import { accountStoreContract } from '../account-store-contract.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

// By a role that may neither create nor drop.
onPostgres('accounts on PostgreSQL', () => accountStoreContract(() => newPostgresStore('ek_worker')));
