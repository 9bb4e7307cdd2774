/** Reads a saved comparison or multiverse: its tables as views, for `query`. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptionError, InputError } from '../domain/errors.ts';
import { type SavedKind, savedKinds, type SavedList, savedListSchema } from '../schemas/saved-tables.ts';
import { openFiles, type RowDatabase } from './database.ts';
import { createView, viewBody } from './views.ts';
import { faultsText } from '../domain/spec/faults-text.ts';

/** Undefined for a folder without saved tables. */
export const savedKindIn = (folder: string): SavedKind | undefined =>
  savedKinds.find(({ file }) => existsSync(join(folder, file)));

/** Throws `InputError` or `CorruptionError` if a file is missing or has changed. */
export async function openSaved(kind: SavedKind, folder: string, copyTo?: string): Promise<RowDatabase> {
  const saved = await readList(kind, folder);
  const files = saved.tables.map(({ file }) => join(folder, file));
  for (const { file, sha256 } of saved.tables) {
    const path = join(folder, file);
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null || hash('sha256', bytes) !== sha256)
      throw new CorruptionError(path, 'missing or changed since it was written', `repeat \`${kind.command}\``);
  }
  const views = saved.tables.flatMap(({ table }, index) => {
    const { [table]: declared } = kind.tables;
    return declared === undefined ? [] : [createView(declared, viewBody(declared, [files[index] as string]))];
  });
  return openFiles(views, files, copyTo);
}

async function readList({ name, file: list, command }: SavedKind, folder: string): Promise<SavedList> {
  const file = join(folder, list);
  const text = await readFile(file, 'utf8');
  const parsed = savedListSchema.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new InputError(`not a saved ${name}: ${faultsText(parsed.error)}; repeat \`${command}\``, { file });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
