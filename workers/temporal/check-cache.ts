/** Checks that the cache can be used before anything is created: an error that occurs later explains less. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../activities/storage/files/make-folder.ts';
import { InputError } from '../../domain/errors.ts';
import { cacheFolder, type Environment } from './cache-folder.ts';

const remedy = 'set EVENKEEL_CACHE to a folder that can be written';

/** Throws `InputError` if the cache is not a folder, cannot be created, or cannot be written by this user. */
export function checkCache(env: Environment): void {
  const file = resolve(cacheFolder(env));
  try {
    makeFolder(file);
  } catch (error) {
    throw new InputError(`cannot create the cache folder (${(error as Error).message}); ${remedy}`, { file });
  }
  try {
    makeAndRemove(join(file, `check-${randomUUID()}.tmp`));
  } catch (error) {
    throw new InputError(`this user cannot write to the cache folder (${(error as Error).message}); ${remedy}`, {
      file,
    });
  }
}

/** Permissions do not tell: those of /proc allow what it then refuses. */
function makeAndRemove(folder: string): void {
  mkdirSync(folder);
  rmdirSync(folder);
}
