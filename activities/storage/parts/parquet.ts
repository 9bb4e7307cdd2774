/** Writes a table's rows as one Parquet file. Equal rows give equal bytes, in every process. */
import { Field, makeData, RecordBatch, Schema, Struct, Table as ArrowTable, tableToIPC } from 'apache-arrow';
import { Compression, Table as WasmTable, WriterPropertiesBuilder, writeParquet } from 'parquet-wasm';
import type { WriterProperties } from 'parquet-wasm';
import type { Column, Row, Table } from '../../../schemas/tables.ts';
import { encodings } from './arrow-columns.ts';
import type { Cell } from './arrow-columns.ts';

/** Larger files are split into row groups, so that a look-up reads little. */
const rowsPerGroup = 20_480;

/** What a file says of its table. */
export type StoredTable = Pick<Table, 'name' | 'schemaVersion'>;

/**
 * The file's bytes: columns in the table's order, zstd, and `{"table", "schema_version"}` as JSON under the metadata
 * key `evenkeel`. Throws, with table, row and column, if a row lacks a column, has an unknown one, or has a value of
 * another type, or a null where the table allows none.
 */
export function encodeTable(table: Table, rows: readonly Row[]): Uint8Array {
  checkNames(table, rows);
  const columns = Object.entries(table.columns).map(([name, column]) => ({
    name,
    column,
    values: valuesOf(table, rows, name, column),
  }));
  const fields = columns.map(({ name, column, values }) => ({
    name,
    data: encodings[column.type].encode(values),
    nullable: 'nullWhen' in column,
  }));
  const schema = new Schema(fields.map(({ name, data, nullable }) => new Field(name, data.type, nullable)));
  const data = makeData({
    type: new Struct(schema.fields),
    length: rows.length,
    nullCount: 0,
    children: fields.map((field) => field.data),
  });
  const stream = tableToIPC(new ArrowTable(schema, [new RecordBatch(schema, data)]), 'stream');
  const repeated = columns
    .filter(({ column, values }) => column.type === 'string' && isRepeated(values))
    .map(({ name }) => name);
  return writeParquet(WasmTable.fromIPCStream(stream), writerProperties(table, repeated));
}

function checkNames(table: Table, rows: readonly Row[]): void {
  const expected = new Set(Object.keys(table.columns));
  for (const row of rows)
    for (const name in row)
      if (!expected.has(name)) throw new TypeError(`${place(table, row, name)}: the table has no such column`);
}

function valuesOf(table: Table, rows: readonly Row[], name: string, column: Column): Cell[] {
  const { fits } = encodings[column.type];
  const mayBeNull = column.nullWhen !== undefined;
  return rows.map((row) => {
    const value = row[name];
    if (value !== undefined && (value === null ? mayBeNull : fits(value))) return value;
    throw new TypeError(`${place(table, row, name)}: ${faultOf(column, value)}, got ${shown(value)}`);
  });
}

function faultOf(column: Column, value: Cell | undefined): string {
  if (value === undefined) return 'the row must have this column';
  return value === null ? 'this column is never null' : `must be ${encodings[column.type].expected}`;
}

function place(table: Table, row: Row, column: string): string {
  const key = table.key.map((name) => `${name}=${shown(row[name])}`).join(' ');
  return `table ${table.name}, row ${key}, column ${column}`;
}

/** Shortened, since a value may be a whole reply; String for NaN and infinities, which JSON turns to null. */
function shown(value: Cell | undefined): string {
  const text = typeof value === 'number' || value === undefined ? String(value) : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/**
 * Whether a column has few distinct values, such as names and states, each at least four times on average. Stops after
 * at most 1,000 distinct values.
 */
export function isRepeated(values: readonly Cell[]): boolean {
  const most = Math.min(1000, values.length / 4);
  const distinct = new Set<Cell>();
  return values.every((value) => distinct.add(value).size <= most);
}

/**
 * Uses dictionaries only for repeated columns; for all columns (the writer's default) they would make texts and floats
 * larger and four times slower.
 */
export function writerProperties(
  { name: table, schemaVersion }: StoredTable,
  dictionaryColumns: readonly string[],
  groupRows = rowsPerGroup,
): WriterProperties {
  let builder = new WriterPropertiesBuilder()
    .setCompression(Compression.ZSTD)
    .setCreatedBy('evenkeel')
    .setMaxRowGroupSize(groupRows)
    .setDictionaryEnabled(false)
    // Only one entry: the writer puts several in random order.
    .setKeyValueMetadata(new Map([['evenkeel', JSON.stringify({ table, schema_version: schemaVersion })]]));
  for (const name of dictionaryColumns) builder = builder.setColumnDictionaryEnabled(name, true);
  return builder.build();
}
