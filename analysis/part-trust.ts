/**
 * Whether parts have the bytes that their manifest says, looked at before the first query that reads their table: DuckDB takes a flipped bit in a page of
 * values for another value. It costs reading the tables that are asked for once per process, about a second per gigabyte.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CorruptionError } from '../domain/errors.ts';
import { tables } from '../schemas/tables.ts';
import { repairRemedy } from './damaged-part.ts';
import { currentParts, type ManifestPart, type RunFolder } from './run-folder.ts';

export interface PartTrust {
  /** Throws `CorruptionError` for the first part that a query may read and that has other bytes. */
  check(sql: string): Promise<void>;
}

export function createPartTrust(runs: readonly RunFolder[]): PartTrust {
  const checks = new Map<string, Promise<void>>();
  const checked = (table: string): Promise<void> => {
    const known = checks.get(table) ?? checkTable(runs, table);
    checks.set(table, known);
    return known;
  };
  return {
    check: async (sql) => {
      for (const table of tablesIn(sql)) await checked(table);
    },
  };
}

/** Functions that may read a part without its table's name in the text. */
const byOtherNames = /\b(?:read_parquet|parquet_\w+|query_table|query)\s*\(|\.parquet/i;

/** Those that are named, and some more where a column or a word has a table's name. */
function tablesIn(sql: string): string[] {
  const names = Object.keys(tables);
  if (byOtherNames.test(sql)) return names;
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  return names.filter((name) => words.has(name));
}

async function checkTable(runs: readonly RunFolder[], table: string): Promise<void> {
  for (const { folder, manifest } of runs) for (const part of currentParts(manifest, table)) await checkPart(manifest.runId, folder, part);
}

async function checkPart(run: string, folder: string, { path, sha256 }: ManifestPart): Promise<void> {
  const file = join(folder, path);
  if (hash('sha256', await readFile(file)) !== sha256) throw new CorruptionError(file, `its SHA-256 is not ${sha256}`, repairRemedy(run));
}
