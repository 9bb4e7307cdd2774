/** Tables as Parquet files in memory. */
import { type Row, type TableName, tables } from '../../../schemas/tables.ts';
import { encodeTable } from './parquet.ts';

export type TableRows = Partial<Record<TableName, readonly Row[]>>;

export interface EncodedTable {
  readonly table: TableName;
  /** Their number. */
  readonly rows: number;
  /** Parquet. */
  readonly bytes: Uint8Array;
}

export const encodeTables = (all: TableRows): EncodedTable[] =>
  (Object.entries(all) as [TableName, readonly Row[]][]).map(([table, rows]) => ({
    table,
    rows: rows.length,
    bytes: encodeTable(tables[table], rows),
  }));
