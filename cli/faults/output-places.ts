/** Whether a command can write where its options say: looked at before it works, which may take hours or cost money. */
import { randomUUID } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { makeAndRemove } from '../output/output-file.ts';
import type { NamedPath } from './path-faults.ts';

type OutputKind = 'file' | 'folder' | 'either';

/**
 * Throws InputError, or the system's error, if an output cannot be written. Its folder has to be there: a wrong name
 * would else become a folder. Only a folder that the option itself names is made, by the command.
 */
export async function checkPlaces(verb: string, options: readonly NamedPath[]): Promise<void> {
  for (const { field, path } of options) {
    const kind = field === null ? null : kindOf(verb, field);
    if (field !== null && path !== null && kind !== null) await checkPlace(path, field, kind);
  }
}

/** Null for what is read, and for what is appended to, which its command looks at itself before all else. */
function kindOf(verb: string, field: string): OutputKind | null {
  if (verb === 'record') return null;
  // A format or the file that is imported decides.
  if (field === '--out') return ['export', 'import'].includes(verb) ? 'either' : 'file';
  if (field === '--save') return 'folder';
  return ['--markdown', '--junit'].includes(field) || (verb === 'import' && field === '--spec') ? 'file' : null;
}

/** @param kind where both are possible, what is there decides; else a file is assumed */
export async function checkPlace(path: string, field: string, kind: OutputKind): Promise<void> {
  const there = await stat(path).catch(() => null);
  const isFolder = there?.isDirectory() ?? false;
  const at = { file: path, field };
  if (isFolder && kind === 'file') throw new InputError('is a folder; expected a file: name a file in that folder', at);
  if (there !== null && !isFolder && kind === 'folder')
    throw new InputError('already exists and is not a folder: choose another path', at);
  // A device or a pipe.
  if (there !== null && !isFolder && !there.isFile()) return;
  const check = `${randomUUID().slice(0, 8)}.check`;
  if (isFolder) await makeAndRemove(join(path, check));
  // A link stays, and its target is replaced.
  else await makeAndRemove(`${await realpath(path).catch(() => path)}.${check}`);
}
