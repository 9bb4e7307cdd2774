/** Parquet files of a large run, written by DuckDB: one of each table and model, as the program merges them. */
import { hash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
 * Writes the rows of a query, with all columns of their table, as one file.
 * @param sql its column `part` tells the pages of the model apart @param model its id; null for the whole run
 */
export async function writeParts(
  { connection, folder, parts }: PartWriter,
  table: TableName,
  sql: string,
  model: string | null,
): Promise<void> {
  const path = join(table, ...(model === null ? ['run'] : ['study=study', `model=${slug(model)}`, 'all']));
  const file = join(folder, `${path}.r1.parquet`);
  await mkdir(dirname(file), { recursive: true });
  const columns = Object.keys((tables[table] as Table).columns).map((name) => `"${name}"`);
  const typed = `SELECT * FROM (${viewBody(tables[table], [])}) UNION ALL BY NAME SELECT * FROM (${sql})`;
  const order = model === null ? '' : 'ORDER BY part';
  await connection.run(
    `COPY (SELECT ${columns.join(', ')} FROM (${typed}) ${order}) TO ${quoteText(file)} (FORMAT parquet,
      COMPRESSION zstd, ROW_GROUP_SIZE 4096)`,
  );
  const lane = model === null ? '' : `${slug('study')}/${slug(model)}`;
  const pages = model === null ? undefined : await rowsOfPages(connection, sql, lane);
  const bytes = await readFile(file);
  parts.push({
    ...{ path: `${path}.r1.parquet`, table, page: model === null ? 'run' : `${lane}/all`, bytes: bytes.length },
    ...{ rows: await rowCount(connection, file), sha256: hash('sha256', bytes), revision: 1, pages },
    schemaVersion: tables[table].schemaVersion,
  });
}

async function rowsOfPages(connection: DuckDBConnection, sql: string, lane: string): Promise<Record<string, number>> {
  const found = await connection.runAndReadAll(`SELECT part, count(*)::INT FROM (${sql}) GROUP BY ALL ORDER BY ALL`);
  return Object.fromEntries(found.getRows().map(([part, rows]) => [`${lane}/r1p${part}`, Number(rows)]));
}

async function rowCount(connection: DuckDBConnection, file: string): Promise<number> {
  const found = await connection.runAndReadAll(`SELECT num_rows::INT FROM parquet_file_metadata(${quoteText(file)})`);
  return Number(found.getRows()[0]?.[0]);
}
