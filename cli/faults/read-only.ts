/** A run where nothing can be written: said before anything is tried, which would name a temporary file. */
import { isWritable } from '../../activities/storage/files/is-writable.ts';
import { InputError } from '../../domain/errors.ts';

/** Throws InputError. @param why what cannot be done there, and what to do instead */
export function refuseReadOnly(folder: string, why: string): void {
  if (!isWritable(folder)) throw new InputError(`is read-only, so ${why}`, { file: folder });
}
