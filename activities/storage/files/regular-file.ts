/** What somebody else has put in the place of a file: to read it may fail without a name, or wait for ever. */
import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CorruptionError, InputError } from '../../../domain/errors.ts';

export const noFile = 'is a folder, a pipe or a device, not a file';

/** Only what is made from the ledger and the inputs can be rebuilt. @param path of the file that should be there */
export function noFileRemedy(path: string): string {
  const isLost = basename(dirname(path)) === 'inputs' || /^(?:ledger\.sqlite|manifest\.json)$/.test(basename(path));
  return isLost
    ? 'remove it, then restore the file from a copy, since it cannot be rebuilt'
    : 'remove it, then verify --repair';
}

/** Whether something is there that is no file. */
export const isNoFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

/** Throws `CorruptionError` for a folder, a pipe or a device. */
export function refuseNoFile(path: string): void {
  if (isNoFile(path)) throw new CorruptionError(path, noFile, noFileRemedy(path));
}

export const noRegularFile = 'must be a regular file, got a device, pipe or socket';

/** For a file of the user's: a device or a pipe may never end. A missing file is reported by its reader. */
export function refuseDevice(file: string, field?: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory())
    throw new InputError(noRegularFile, { file, ...(field !== undefined && { field }) });
}
