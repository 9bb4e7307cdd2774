import { MissingPartError } from '../../../domain/errors.ts';

type Driver = Pick<typeof import('pg'), 'Client' | 'Pool'>;

/** The library `pg`, which is loaded only if a store is on PostgreSQL. Throws `MissingPartError` if it is missing. */
export async function loadDriver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MissingPartError(
      'a store on PostgreSQL needs the package "pg", which is not installed: install it next to evenkeel ' +
        '(npm install pg), or unset EVENKEEL_STORE and EVENKEEL_BLOBS to keep runs in a folder',
    );
  }
}
