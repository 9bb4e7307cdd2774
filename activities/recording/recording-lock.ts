/** One recorder a file: two would mix their samples up, and one of them would lose a reply that it passed on. */
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { InputError } from '../../domain/errors.ts';
import { takenLock } from '../storage/files/exclusive-lock.ts';

/** Next to the recording, while a recorder has it; a killed one leaves an empty file that locks nothing. */
const lockOf = (file: string): string => `${realpathSync(file)}.lock`;

/**
 * Returns what releases the lock. Throws `InputError` while another recorder holds it.
 * @param file must exist
 */
export function lockRecording(file: string): () => void {
  const path = lockOf(file);
  const lock = taken(path, file);
  if (lock === null)
    throw new InputError(
      'another recorder writes to it: stop that one first, or give each recorder a file of its own with --out',
      { file },
    );
  // Its last holder has removed it after it was opened here: others would lock a new file.
  if (!existsSync(path)) {
    lock.close();
    return lockRecording(file);
  }
  return () => {
    rmSync(path, { force: true });
    lock.close();
  };
}

function taken(path: string, file: string): ReturnType<typeof takenLock> {
  try {
    return takenLock(path, 0);
  } catch (error) {
    throw new InputError(
      `cannot be kept from other recorders, since ${path} cannot be used as its lock ` +
        `(${error instanceof Error ? error.message : String(error)}): name a file in a folder that can be written`,
      { file, field: '--out' },
    );
  }
}
