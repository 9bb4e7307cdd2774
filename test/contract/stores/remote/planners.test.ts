/** Two commands that plan one run on PostgreSQL and S3 at the same moment. */
import { onTestFinished } from 'vitest';
import { postgresCatalog } from '../../../../activities/storage/postgres/catalog/postgres-catalog.ts';
import { openPostgresLedger } from '../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import type { RunCatalog } from '../../../../activities/storage/catalog/run-catalog.ts';
import { s3Blobs } from '../../../../activities/storage/s3/s3-blobs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { plannersContract } from '../planners/planners-contract.ts';
import { newObjects, onObjects } from './on-objects.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

async function newCatalog(): Promise<RunCatalog> {
  const database = openPostgres(await newPostgresStore('ek_worker'));
  onTestFinished(() => database.close());
  const blobs = s3Blobs(newObjects());
  return postgresCatalog({ database, blobs, copies: temporaryFolder(), openLedger: openPostgresLedger });
}

onPostgres('planners on PostgreSQL', () => {
  onObjects('and S3', () => {
    plannersContract(newCatalog, 2);
  });
});
