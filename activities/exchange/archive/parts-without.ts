/** Writes the tables of a run again without the texts that an archive leaves out. */
import { readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { sha256 } from '../../../domain/ids.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { makeFolder } from '../../storage/files/make-folder.ts';
import { type Left, leftColumns, quoted, replacementOf } from './left-texts.ts';

type Part = Manifest['parts'][number];

/**
 * Writes changed parts to `stage` under their new names. Returns the manifest's parts as they are in the archive.
 * @param placeOf where a part of the run lies
 */
export async function partsWithout(
  parts: readonly Part[],
  left: Left,
  placeOf: (part: Part) => string,
  stage: string,
): Promise<Part[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    for (const name of ['samples', 'verdicts'] as const) await createView(connection, name, parts, placeOf);
    const written: Part[] = [];
    for (const part of parts) {
      const columns = leftColumns(part.table, left);
      written.push(columns.size === 0 ? part : await rewritten(connection, part, columns, placeOf(part), stage));
    }
    return written;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const neededBy = {
  samples: 'CAST(NULL AS VARCHAR) AS prompt_sha256, CAST(NULL AS VARCHAR) AS parent_step',
  verdicts: 'CAST(NULL AS VARCHAR) AS execution_id, CAST(NULL AS VARCHAR) AS suite',
};

async function createView(
  connection: DuckDBConnection,
  name: keyof typeof neededBy,
  parts: readonly Part[],
  placeOf: (part: Part) => string,
): Promise<void> {
  const files = parts.filter(({ table }) => table === name).map((part) => quoted(placeOf(part)));
  const none = `SELECT ${neededBy[name]}, CAST(NULL AS VARCHAR) AS benchmark WHERE false`;
  const all =
    files.length === 0
      ? none
      : `${none} UNION ALL BY NAME FROM read_parquet([${files.join(', ')}], union_by_name = true, ` +
        'hive_partitioning = false)';
  const found = name === 'samples' ? 'prompt_sha256, parent_step, benchmark' : 'execution_id, suite, benchmark';
  // A null in a list makes NOT IN null.
  const key = name === 'samples' ? 'prompt_sha256' : 'execution_id';
  await connection.run(`CREATE TABLE ${name} AS SELECT DISTINCT ${found} FROM (${all}) WHERE ${key} IS NOT NULL`);
}

async function rewritten(
  connection: DuckDBConnection,
  part: Part,
  columns: ReadonlyMap<string, string>,
  file: string,
  stage: string,
): Promise<Part> {
  const source = `read_parquet(${quoted(file)}, hive_partitioning = false)`;
  const known = new Set((await connection.runAndReadAll(`SELECT * FROM ${source} LIMIT 0`)).columnNames());
  const kept = [...columns].filter(([column]) => known.has(column));
  if (kept.length === 0) return part;
  const replaced = kept.map(
    ([column, condition]) =>
      `CASE WHEN "${column}" IS NOT NULL AND (${condition}) THEN ${replacementOf(column)} ELSE "${column}" END ` +
      `AS "${column}"`,
  );
  const folder = join(stage, dirname(part.path));
  makeFolder(folder);
  const aside = join(folder, 'rewritten.tmp');
  await connection.run(
    `COPY (SELECT * REPLACE (${replaced.join(', ')}) FROM ${source}) TO ${quoted(aside)} ` +
      '(FORMAT parquet, COMPRESSION zstd)',
  );
  const bytes = readFileSync(aside);
  const hash = sha256(bytes);
  const path = part.path.replace(/\.[0-9a-f]{12}\.parquet$/, `.${hash.slice(0, 12)}.parquet`);
  renameSync(aside, join(stage, path));
  return { ...part, path, bytes: bytes.length, sha256: hash };
}
