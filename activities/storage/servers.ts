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
const isServer = (address: string): boolean => /^[\w+]+:\/\//.test(address);

/** For messages. */
export const withoutPassword = (store: string): string => store.replace(/^(\w+:\/\/[^/?#]*?):[^/?#]*@/, '$1:***@');

/**
 * `EVENKEEL_STORE` and `EVENKEEL_BLOBS`; null if they name no servers: then runs are in a folder. Throws `InputError`
 * for one without the other, and for an address of another kind.
 */
export function serversIn(env: Environment): Servers | null {
  const [store, blobs] = [env['EVENKEEL_STORE'] ?? '', env['EVENKEEL_BLOBS'] ?? ''];
  if (!isServer(store) && !isServer(blobs)) return null;
  const both = 'a store on servers needs both, EVENKEEL_STORE=postgres://... and EVENKEEL_BLOBS=s3://bucket/prefix';
  if (!isPostgresAddress(store))
    throw new InputError(`must name a PostgreSQL database: ${both}; got "${withoutPassword(store)}"`, {
      field: 'EVENKEEL_STORE',
    });
  if (!blobs.startsWith('s3://'))
    throw new InputError(`must name a bucket: ${both}; got "${blobs}"`, { field: 'EVENKEEL_BLOBS' });
  return { store, blobs };
}

/** Where a machine has its copies of the files of these servers' runs; it may be removed when nothing runs there. */
export const copiesFolder = ({ store, blobs }: Servers, cacheFolder: string): string =>
  join(cacheFolder, 'stores', sha256(`${withoutPassword(store)} ${blobs}`).slice(0, 12));
