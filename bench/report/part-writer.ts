/** Parquet files of a large run, written by DuckDB: one of each page, as the program writes them. */
import { hash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { slug } from '../../domain/ids.ts';
import { quoteText, viewBody } from '../../analysis/views.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { type Table, type TableName, tables } from '../../schemas/tables.ts';

export interface PartWriter {
  readonly connection: DuckDBConnection;
  readonly folder: string;
  readonly parts: Manifest['parts'];
}

/**
 * Writes the rows of a query, with all columns of their table.
 * @param sql its column `part` tells the pages of the model apart @param model its id; null for the whole run
 */
export async function writeParts(
  { connection, folder, parts }: PartWriter,
  table: TableName,
  sql: string,
  model: string | null,
): Promise<void> {
  const at = model === null ? table : `${table}/study=study/model=${slug(model)}`;
  await mkdir(join(folder, at), { recursive: true });
  const columns = Object.keys((tables[table] as Table).columns).map((name) => `"${name}"`);
  const typed = `SELECT * FROM (${viewBody(tables[table], [])}) UNION ALL BY NAME SELECT * FROM (${sql})`;
  const [select, split] =
    model === null ? [columns, ''] : [[...columns, 'part'], ', PARTITION_BY (part), OVERWRITE_OR_IGNORE'];
  const to = quoteText(join(folder, at, model === null ? 'run.parquet' : ''));
  await connection.run(
    `COPY (SELECT ${select.join(', ')} FROM (${typed})) TO ${to} (FORMAT parquet, COMPRESSION zstd${split})`,
  );
  const names = await readdir(join(folder, at), { recursive: true });
  const files = names.filter((name) => name.endsWith('.parquet')).map((name) => join(at, name));
  const counts = await rowCounts(
    connection,
    files.map((path) => join(folder, path)),
  );
  for (const path of files) {
    const bytes = await readFile(join(folder, path));
    const page = model === null ? 'run' : `${slug('study')}/${slug(model)}/r1p${/part=(\w+)/.exec(path)?.[1]}`;
    parts.push({
      ...{ path, table, page, rows: counts.get(join(folder, path)) ?? 0, bytes: bytes.length },
      ...{ sha256: hash('sha256', bytes), schemaVersion: tables[table].schemaVersion, revision: 1 },
    });
  }
}

async function rowCounts(connection: DuckDBConnection, files: readonly string[]): Promise<Map<string, number>> {
  const list = files.map(quoteText).join(', ');
  const found = await connection.runAndReadAll(`SELECT file_name, num_rows::INT FROM parquet_file_metadata([${list}])`);
  return new Map(found.getRows().map(([name, rows]) => [String(name), Number(rows)]));
}
