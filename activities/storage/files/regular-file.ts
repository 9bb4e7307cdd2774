/** Reading what somebody else has put in the place of a file may fail without a name, or wait for ever. */
import { statSync } from 'node:fs';
import { CorruptionError } from '../../../domain/errors.ts';

/** Throws `CorruptionError` for a folder, a pipe or a device; the system's error if nothing is there. */
export function refuseUnlessFile(path: string): void {
  if (!statSync(path).isFile())
    throw new CorruptionError(path, 'is a folder, a pipe or a device, not a file', 'remove it, then verify --repair');
}
