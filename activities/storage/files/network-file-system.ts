/** Refuses network file systems: SQLite's write-ahead log needs locks and shared memory that they do not provide. */
import { statfsSync } from 'node:fs';
import { InputError } from '../../../domain/errors.ts';

/** Magic numbers from `statfs(2)`, as in linux/magic.h and the file systems' sources. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'CephFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
]);

/** Set for such a file system if only this machine uses it, for example an encrypted folder under FUSE. */
const override = 'EVENKEEL_TRUST_FILE_SYSTEM';

/**
 * Throws `InputError` if `folder` is on a network file system.
 * @param typeOf returns a folder's `statfs` type
 */
export function refuseNetworkFileSystem(
  folder: string,
  typeOf = (path: string): number => statfsSync(path).type,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  const name = networkFileSystems.get(typeOf(folder) >>> 0);
  if (name === undefined || env[override] === '1') return;
  throw new InputError(
    `a ledger on ${name} would lose data (SQLite needs a local disk); set EVENKEEL_RUNS to a local folder, or ` +
      `${override}=1 if only this machine uses this one`,
    { file: folder },
  );
}
