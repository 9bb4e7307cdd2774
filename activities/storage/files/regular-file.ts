/** What somebody else has put in the place of a file: to read it may fail without a name, or wait for ever. */
import { statSync } from 'node:fs';
import { CorruptionError } from '../../../domain/errors.ts';

export const noFile = 'is a folder, a pipe or a device, not a file';
export const noFileRemedy = 'remove it, then verify --repair';

/** Whether something is there that is no file. */
export const isNoFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === false;

/** Throws `CorruptionError` for a folder, a pipe or a device. */
export function refuseNoFile(path: string): void {
  if (isNoFile(path)) throw new CorruptionError(path, noFile, noFileRemedy);
}
