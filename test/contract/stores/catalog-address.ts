import { folderCatalog } from '../../../activities/storage/catalog/folder-catalog.ts';
import type { RunCatalog } from '../../../activities/storage/catalog/run-catalog.ts';
import { postgresCatalog } from '../../../activities/storage/postgres/catalog/postgres-catalog.ts';
import { openPostgres } from '../../../activities/storage/postgres/postgres.ts';
import { s3Blobs } from '../../../activities/storage/s3/s3-blobs.ts';

/** Of a catalog on servers. */
export interface ServersAddress {
  readonly store: string;
  readonly blobs: string;
  readonly cache: string;
}

/** Opens the catalog at an address of a test, in whatever process: a folder's path, or JSON of `ServersAddress`. */
export function openCatalog(address: string): RunCatalog {
  if (!address.startsWith('{')) return folderCatalog(address);
  const { store, blobs, cache } = JSON.parse(address) as ServersAddress;
  return postgresCatalog({
    database: openPostgres(store),
    blobs: s3Blobs(blobs),
    copies: cache,
    openLedger: () => Promise.reject(new Error('a catalog opens no ledger')),
  });
}
