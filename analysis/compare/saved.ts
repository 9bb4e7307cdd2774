/** Reads a saved comparison: its tables as views, for `query`. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CorruptionError, InputError } from '../../domain/errors.ts';
import { comparisonFile, type SavedComparison, savedComparisonSchema } from '../../schemas/comparison.ts';
import { comparisonTables } from '../../schemas/tables/comparison.ts';
import { openFiles, type RowDatabase } from '../database.ts';
import { createView, viewBody } from '../views.ts';

export const isSavedComparison = (folder: string): boolean => existsSync(join(folder, comparisonFile));

/** Throws `InputError` or `CorruptionError` if a file is missing or has changed. */
export async function openComparison(folder: string, copyTo?: string): Promise<RowDatabase> {
  const saved = await readSaved(folder);
  const files = saved.tables.map(({ file }) => join(folder, file));
  for (const { file, sha256 } of saved.tables) {
    const path = join(folder, file);
    const bytes = await readFile(path).catch(() => null);
    if (bytes === null || hash('sha256', bytes) !== sha256)
      throw new CorruptionError(path, 'missing or changed since it was written', 'repeat `compare --save`');
  }
  const views = saved.tables.map(({ table }, index) => {
    const { [table]: declared } = comparisonTables;
    return createView(declared, viewBody(declared, [files[index] as string]));
  });
  return openFiles(views, files, copyTo);
}

async function readSaved(folder: string): Promise<SavedComparison> {
  const file = join(folder, comparisonFile);
  const text = await readFile(file, 'utf8');
  const parsed = savedComparisonSchema.safeParse(parsedJson(text));
  if (parsed.success) return parsed.data;
  throw new InputError(`not a saved comparison: ${z.prettifyError(parsed.error)}; repeat \`compare --save\``, { file });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
