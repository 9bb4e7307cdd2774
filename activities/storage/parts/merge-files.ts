/** Puts the rows of several parts of one table into one file, and takes them apart again. Equal files, equal bytes. */
import { RecordBatch, Schema, Table as ArrowTable, tableFromIPC, tableToIPC } from 'apache-arrow';
import { readParquet, Table as WasmTable, writeParquet } from 'parquet-wasm';
import { isRepeated, type StoredTable, writerProperties } from './parquet.ts';

/** Fewer than in a part: a question about one task then reads a part of the file. */
const rowsPerGroup = 4_096;

/**
 * The rows of the files, one file after the other.
 * @returns null if the files have different columns @param files at least one
 */
export function mergeFiles(table: StoredTable, files: readonly Uint8Array[]): Uint8Array | null {
  const read = files.map((file) => tableFromIPC(readParquet(file).intoIPCStream()));
  const { schema } = read[0] as ArrowTable;
  if (read.some((one) => !hasFields(one.schema, schema))) return null;
  const filled = read.filter(({ numRows }) => numRows > 0);
  return fileOf(
    table,
    schema,
    filled.flatMap(({ batches }) => batches),
    repeatedColumns(filled[0]),
    rowsPerGroup,
  );
}

/** One file for each run of rows. @param rows of each; together those of the file */
export function splitFile(table: StoredTable, file: Uint8Array, rows: readonly number[]): Uint8Array[] {
  const all = tableFromIPC(readParquet(file).intoIPCStream());
  let end = 0;
  return rows.map((count) => {
    end += count;
    const own = count === 0 ? undefined : all.slice(end - count, end);
    return fileOf(table, all.schema, own?.batches ?? [], repeatedColumns(own));
  });
}

function fileOf(
  table: StoredTable,
  { fields }: Schema,
  batches: readonly RecordBatch[],
  repeated: readonly string[],
  groupRows?: number,
): Uint8Array {
  const schema = new Schema(fields);
  const own = batches.map(({ data }) => new RecordBatch(schema, data));
  const stream = tableToIPC(new ArrowTable(schema, own), 'stream');
  return writeParquet(WasmTable.fromIPCStream(stream), writerProperties(table, repeated, groupRows));
}

const hasFields = (one: Schema, other: Schema): boolean =>
  one.fields.length === other.fields.length &&
  one.fields.every((field, place) => {
    const its = other.fields[place];
    return field.name === its?.name && field.nullable === its.nullable && String(field.type) === String(its.type);
  });

/** Text columns that repeat themselves within one page. */
const repeatedColumns = (page: ArrowTable | undefined): string[] =>
  (page?.schema.fields ?? []).flatMap(({ name, type }) =>
    String(type) === 'Utf8' && isRepeated([...(page?.getChild(name) ?? [])] as (string | null)[]) ? [name] : [],
  );
