import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { mergeFiles, splitFile } from '../../../../activities/storage/parts/merge-files.ts';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import type { Row, Table } from '../../../../schemas/tables.ts';
import { newFolder } from '../ledger/ledger-fixture.ts';

const nullWhen = 'not known';
const table: Table = {
  name: 'example',
  meaning: 'One column of each type.',
  schemaVersion: 3,
  key: ['id'],
  columns: {
    id: { type: 'int', meaning: 'Key.' },
    text: { type: 'string', meaning: 'A text.', nullWhen },
    word: { type: 'string', meaning: 'A word that is often the same.' },
    share: { type: 'float', meaning: 'A number.', nullWhen },
    is_odd: { type: 'bool', meaning: 'A truth.' },
    time: { type: 'timestamp', meaning: 'A time.', nullWhen },
    numbers: { type: 'floatList', meaning: 'Numbers.', nullWhen },
  },
};

const rows = (from: number, count: number): Row[] =>
  Array.from({ length: count }, (_, place) => {
    const id = from + place;
    return {
      ...{ id, text: id % 3 === 0 ? null : `Grüße ${id}`, word: id % 2 === 0 ? 'even' : 'odd', is_odd: id % 2 === 1 },
      ...{ share: id % 5 === 0 ? null : id / 7, time: id % 4 === 0 ? null : 1_800_000_000_000 + id },
      numbers: id % 6 === 0 ? null : [id / 2, -id],
    };
  });

/** What DuckDB finds in the bytes. */
async function query(bytes: Uint8Array, sql: string): Promise<unknown[]> {
  const file = join(newFolder(), 'part.parquet');
  writeFileSync(file, bytes);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const result = await connection.runAndReadAll(sql.replaceAll('FILE', `'${file}'`));
  connection.closeSync();
  return result.getRowsJson();
}

const pages = [rows(0, 300), [], rows(300, 9000), rows(9300, 1)].map((page) => encodeTable(table, page));

test('a merged file has the rows, columns and mark of the files, in small row groups', async () => {
  const merged = mergeFiles(table, pages) ?? new Uint8Array();
  const whole = encodeTable(table, rows(0, 9301));
  expect(await query(merged, 'from FILE')).toEqual(await query(whole, 'from FILE'));
  const columns = 'select name, type, repetition_type, converted_type, logical_type from parquet_schema(FILE)';
  expect(await query(merged, columns)).toEqual(await query(whole, columns));
  const groups = 'select distinct row_group_id, row_group_num_rows from parquet_metadata(FILE) order by 1';
  expect(await query(merged, groups)).toEqual([
    ['0', '4096'],
    ['1', '4096'],
    ['2', '1109'],
  ]);
  const mark = "select decode(value) from parquet_kv_metadata(FILE) where decode(key) = 'evenkeel'";
  expect(await query(merged, mark)).toEqual([['{"table":"example","schema_version":3}']]);
  expect(mergeFiles(table, pages)).toEqual(merged);
});

test('taken apart, the files have the bytes that they had', () => {
  const merged = mergeFiles(table, pages) ?? new Uint8Array();
  expect(splitFile(table, merged, [300, 0, 9000, 1])).toEqual(pages);
  const empty = [encodeTable(table, []), encodeTable(table, [])];
  expect(splitFile(table, mergeFiles(table, empty) ?? new Uint8Array(), [0, 0])).toEqual(empty);
});

test('files with different columns are not merged', () => {
  const { numbers: _numbers, ...columns } = table.columns;
  const older = encodeTable(
    { ...table, columns },
    rows(0, 3).map(({ numbers: _numbers, ...row }) => row),
  );
  expect(mergeFiles(table, [pages[0] ?? older, older])).toBeNull();
});
