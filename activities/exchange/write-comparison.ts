/** Writes a comparison's tables to a folder, for `query` and for other programs. */
import { hash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../domain/errors.ts';
import { comparisonFile, type SavedComparison } from '../../schemas/comparison.ts';
import { comparisonTables } from '../../schemas/tables/comparison.ts';
import type { Row } from '../../schemas/tables.ts';
import { programVersion } from '../runs/version.ts';
import { encodeTable } from '../storage/parts/parquet.ts';

type Rows = Readonly<Record<keyof typeof comparisonTables, readonly Row[]>>;

/**
 * Replaces an earlier comparison in the folder; the list of tables is written last. Throws InputError for a folder that
 * holds anything else, such as a run.
 */
export async function writeComparison(folder: string, runs: readonly string[], rows: Rows, now: Date): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(comparisonFile))
    throw new InputError('holds other files: name a folder that is new, empty or a saved comparison', { file: folder });
  const tables: SavedComparison['tables'] = [];
  for (const table of Object.values(comparisonTables)) {
    const bytes = encodeTable(table, rows[table.name]);
    const file = `${table.name}.parquet`;
    await writeFile(join(folder, file), bytes);
    tables.push({ table: table.name, file, rows: rows[table.name].length, sha256: hash('sha256', bytes) });
  }
  const saved: SavedComparison = {
    ...{ formatVersion: 1, programVersion, createdAt: now.toISOString() },
    ...{ runs: [...runs], tables },
  };
  await writeFile(join(folder, comparisonFile), `${JSON.stringify(saved, null, 2)}\n`);
}
