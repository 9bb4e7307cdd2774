import { InputError } from '../../../domain/errors.ts';

/** Throws InputError for an id that cannot be a folder's name. */
export function checkedRunId(id: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._ -]{0,119}$/.test(id) && !id.endsWith(' ')) return id;
  throw new InputError(
    'a run id must start with a letter or digit and consist of letters, digits, dots, underscores, spaces and ' +
      `hyphens, at most 120 characters, without a space at its end; got "${id}"`,
  );
}
