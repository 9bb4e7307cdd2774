/** Writes the tables of a comparison or a multiverse to a folder, for `query` and for other programs. */
import { hash } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError, isDiskFull, isFileTooLarge, tooLarge } from '../../domain/errors.ts';
import type { SavedKind, SavedList } from '../../schemas/saved-tables.ts';
import type { Row, Table } from '../../schemas/tables.ts';
import { programVersion } from '../runs/version.ts';
import { encodeTable } from '../storage/parts/parquet.ts';

/**
 * Replaces earlier tables of this kind in the folder, also those of a write that was cut off; their list is written
 * last. Throws InputError for a folder that holds anything else, such as a run, for a full disk and a file too large.
 */
export async function writeSaved<Name extends string>(
  kind: SavedKind<Name>,
  folder: string,
  runs: readonly string[],
  rows: Readonly<Record<Name, readonly Row[]>>,
  now: Date,
): Promise<void> {
  try {
    await writeTables(kind, folder, runs, rows, now);
  } catch (error) {
    if (isFileTooLarge(error))
      throw new InputError(`a file in it would be ${tooLarge}, or choose another path`, { file: folder });
    if (!isDiskFull(error)) throw error;
    throw new InputError('the disk is full: free some space, or choose another path', { file: folder });
  }
}

/** Throws InputError if a folder that is there holds anything but a saved one of this kind. */
export async function refuseOtherFiles<Name extends string>(
  { name, file: list, tables: declared }: SavedKind<Name>,
  folder: string,
): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const own = new Set([list, ...Object.keys(declared).map(fileOf)]);
  if (!names.includes(list) && names.some((one) => !own.has(one)))
    throw new InputError(`holds other files: name a folder that is new, empty or a saved ${name}`, { file: folder });
}

async function writeTables<Name extends string>(
  kind: SavedKind<Name>,
  folder: string,
  runs: readonly string[],
  rows: Readonly<Record<Name, readonly Row[]>>,
  now: Date,
): Promise<void> {
  const { file: list, tables: declared } = kind;
  await mkdir(folder, { recursive: true });
  await refuseOtherFiles(kind, folder);
  const tables: SavedList['tables'] = [];
  for (const [table, columns] of Object.entries<Table>(declared)) {
    const bytes = encodeTable(columns, rows[table as Name]);
    const file = fileOf(table);
    await writeFile(join(folder, file), bytes);
    tables.push({ table, file, rows: rows[table as Name].length, sha256: hash('sha256', bytes) });
  }
  const saved: SavedList = {
    ...{ formatVersion: 1, programVersion, createdAt: now.toISOString() },
    ...{ runs: [...runs], tables },
  };
  await writeFile(join(folder, list), `${JSON.stringify(saved, null, 2)}\n`);
}

const fileOf = (table: string): string => `${table}.parquet`;
