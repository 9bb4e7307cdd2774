/** The servers that keep a store's runs, as the environment names them. Loads nothing. */
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { sha256 } from '../../domain/ids.ts';

export interface Servers {
  /** `postgres://...` */
  readonly store: string;
  /** `s3://...` */
  readonly blobs: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const isPostgresAddress = (store: string): boolean => /^postgres(ql)?:\/\//.test(store);
export const isBucketAddress = (blobs: string): boolean => blobs.startsWith('s3://');

/** For messages. Also of what is not quite an address: an address without its scheme, or libpq's words. */
export const withoutPassword = (store: string): string =>
  store
    .replace(/^((?:[\w+.-]+:\/\/)?[^/?#]*?):[^/?#]*@/, '$1:***@')
    .replaceAll(/\b(password\s*=\s*)('[^']*'|[^\s&]*)/gi, '$1***');

/**
 * `EVENKEEL_STORE` and `EVENKEEL_BLOBS`; null if both are unset or empty: then runs are in a folder. Throws
 * `InputError` for one without the other, and for any other value: a run would be made, and paid for, where nobody
 * looks for it.
 */
export function serversIn(env: Environment): Servers | null {
  const [store, blobs] = [env['EVENKEEL_STORE'] ?? '', env['EVENKEEL_BLOBS'] ?? ''];
  if (store === '' && blobs === '') return null;
  const both =
    'a store on servers needs both, EVENKEEL_STORE=postgres://... and EVENKEEL_BLOBS=s3://bucket/prefix; ' +
    'unset both to keep runs in a folder';
  if (!isPostgresAddress(store))
    throw new InputError(`must name a PostgreSQL database: ${both}; got "${withoutPassword(store)}"`, {
      field: 'EVENKEEL_STORE',
    });
  if (!isBucketAddress(blobs))
    throw new InputError(`must name a bucket: ${both}; got "${blobs}"`, { field: 'EVENKEEL_BLOBS' });
  return { store, blobs };
}

/** Where a machine has its copies of the files of these servers' runs; it may be removed when nothing runs there. */
export const copiesFolder = ({ store, blobs }: Servers, cacheFolder: string): string =>
  join(cacheFolder, 'stores', sha256(`${withoutPassword(store)} ${blobs}`).slice(0, 12));
