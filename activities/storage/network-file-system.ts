/** SQLite's write-ahead log needs locks and shared memory that network file systems do not give. */
import { statfsSync } from 'node:fs';
import { InputError } from '../../domain/errors.ts';

/** Magic numbers of `statfs(2)`, from linux/magic.h. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
]);

/** Throws `InputError` when `folder` lies on a network file system. `typeOf` gives a folder's `statfs` type. */
export function refuseNetworkFileSystem(folder: string, typeOf = (path: string): number => statfsSync(path).type): void {
  const name = networkFileSystems.get(typeOf(folder) >>> 0);
  if (name === undefined) return;
  throw new InputError(`a ledger on ${name} would lose data (SQLite needs a disk of this machine); set EVENKEEL_RUNS to a local folder`, {
    file: folder,
  });
}
