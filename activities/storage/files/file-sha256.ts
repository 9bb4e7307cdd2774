/** Hex SHA-256 of a file's bytes. */
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { withDescriptor } from './held-files.ts';
import { refuseNoFile } from './regular-file.ts';

/** Reads in pieces: a ledger may have gigabytes. */
export function fileSha256(path: string): string {
  refuseNoFile(path);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(1 << 20);
  withDescriptor(path, (file) => {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer))
      hash.update(buffer.subarray(0, read));
  });
  return hash.digest('hex');
}
