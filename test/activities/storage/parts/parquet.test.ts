import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, test } from 'vitest';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { type Row, type Table, tables } from '../../../../schemas/tables.ts';
import { newFolder } from '../ledger/ledger-fixture.ts';

const nullWhen = 'not known';
const table: Table = {
  name: 'example',
  meaning: 'One column of each type, with and without nulls.',
  schemaVersion: 3,
  key: ['id'],
  columns: {
    id: { type: 'int', meaning: 'Key.' },
    text: { type: 'string', meaning: 'A text.' },
    text_or_null: { type: 'string', meaning: 'A text.', nullWhen },
    int_or_null: { type: 'int', meaning: 'A number.', nullWhen },
    float_or_null: { type: 'float', meaning: 'A number.', nullWhen },
    bool_or_null: { type: 'bool', meaning: 'A truth.', nullWhen },
    time_or_null: { type: 'timestamp', meaning: 'A time.', nullWhen },
    ints: { type: 'intList', meaning: 'Numbers.' },
    floats_or_null: { type: 'floatList', meaning: 'Numbers.', nullWhen },
  },
};

const row = (id: number, more: Row = {}): Row => ({
  ...{
    id,
    text: 'x',
    text_or_null: null,
    int_or_null: null,
    float_or_null: null,
    bool_or_null: null,
    time_or_null: null,
  },
  ...{ ints: [], floats_or_null: null },
  ...more,
});

/** What DuckDB finds in the bytes. */
async function query(bytes: Uint8Array, sql: string): Promise<unknown[]> {
  const file = join(newFolder(), 'part.parquet');
  writeFileSync(file, bytes);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const result = await connection.runAndReadAll(sql.replaceAll('FILE', `'${file}'`));
  connection.closeSync();
  return result.getRowObjectsJS();
}

const full = {
  ...{
    text: 'Grüße 🎈\u0000\n"',
    text_or_null: '',
    int_or_null: -2_147_483_648,
    float_or_null: 0.1,
    bool_or_null: false,
  },
  ...{
    time_or_null: Date.UTC(2026, 10, 20, 21, 40, 0, 123),
    ints: [0, 3, 2_147_483_647],
    floats_or_null: [-0.5, 0, 1e-3],
  },
};

test("a program's time may be longer than 2.1 seconds, which is where 32 bits of nanoseconds end", async () => {
  // MBPP/123's reference on its three tests, as it was measured.
  const times = { cpu_ns: 4_102_427_072, wall_ns: 4_139_006_120, waited_ns: 2_147_483_648 };
  const repeat = {
    execution_id: 'e',
    page: 'p',
    repeat: 1,
    end: 'completed',
    detail: null,
    switches: 0,
    noisy: false,
    redone: 0,
    core: 1,
  };
  const yardstick = { yardstick_cpu_ns: 4_102_427_072.5, yardstick_wall_ns: null };
  const bytes = encodeTable(tables.timings, [{ ...repeat, ...times, ...yardstick }]);
  const columns = Object.keys({ ...times, ...yardstick });
  expect(await query(bytes, `select ${columns.join()} from read_parquet(FILE)`)).toEqual([{ ...times, ...yardstick }]);
});

test('every type comes back from DuckDB as it was, nulls among values too', async () => {
  const found = await query(
    encodeTable(table, [row(1, full), row(2), row(3, { ...full, bool_or_null: true })]),
    'select * from read_parquet(FILE) order by id',
  );
  const read = {
    ...full,
    time_or_null: new Date('2026-11-20T21:40:00.123Z'),
    floats_or_null: [-0.5, 0, Math.fround(1e-3)],
  };
  expect(found).toEqual([{ id: 1, ...read }, { ...row(2) }, { id: 3, ...read, bool_or_null: true }]);
});

test('columns have one SQL type each, and only nullable ones may be null', async () => {
  const bytes = encodeTable(table, [row(1, full)]);
  const types = await query(
    bytes,
    'select column_name as name, column_type as type from (describe select * from read_parquet(FILE))',
  );
  expect(Object.fromEntries((types as { name: string; type: string }[]).map(({ name, type }) => [name, type]))).toEqual(
    {
      id: 'INTEGER',
      text: 'VARCHAR',
      text_or_null: 'VARCHAR',
      int_or_null: 'INTEGER',
      float_or_null: 'DOUBLE',
      bool_or_null: 'BOOLEAN',
      time_or_null: 'TIMESTAMP WITH TIME ZONE',
      ints: 'INTEGER[]',
      floats_or_null: 'FLOAT[]',
    },
  );
  const required = await query(
    bytes,
    "select name from parquet_schema(FILE) where repetition_type = 'REQUIRED' and name != 'element'",
  );
  expect((required as { name: string }[]).map(({ name }) => name)).toEqual(['id', 'text', 'ints']);
});

test('a table without rows keeps its columns', async () => {
  const bytes = encodeTable(table, []);
  expect(await query(bytes, 'select count(*)::int as n from read_parquet(FILE)')).toEqual([{ n: 0 }]);
  expect(
    await query(
      bytes,
      "select count(*)::int as n from (describe select * from read_parquet(FILE)) where column_type = 'FLOAT[]'",
    ),
  ).toEqual([{ n: 1 }]);
});

test('the file says its table, schema version and writer', async () => {
  const bytes = encodeTable(table, [row(1)]);
  const entries = await query(
    bytes,
    'select decode(key) as key, decode(value) as value from parquet_kv_metadata(FILE) where decode(key) like ' +
      "'evenkeel%' order by 1",
  );
  expect(entries).toEqual([{ key: 'evenkeel', value: '{"table":"example","schema_version":3}' }]);
  expect(await query(bytes, 'select created_by from parquet_file_metadata(FILE)')).toEqual([
    { created_by: 'evenkeel' },
  ]);
});

test('repeated names get a dictionary, texts and numbers do not, all get zstd', async () => {
  const rows = Array.from({ length: 400 }, (_, id) =>
    row(id, { text: `state ${id % 3}`, text_or_null: `reply ${id}`, float_or_null: id / 7 }),
  );
  const bytes = encodeTable(table, rows);
  const columns = await query(
    bytes,
    'select path_in_schema as name, dictionary_page_offset is not null as dictionary, compression from ' +
      "parquet_metadata(FILE) where name in ('id', 'text', 'text_or_null', 'float_or_null') order by column_id",
  );
  expect(columns).toEqual([
    { name: 'id', dictionary: false, compression: 'ZSTD' },
    { name: 'text', dictionary: true, compression: 'ZSTD' },
    { name: 'text_or_null', dictionary: false, compression: 'ZSTD' },
    { name: 'float_or_null', dictionary: false, compression: 'ZSTD' },
  ]);
  expect(
    await query(
      bytes,
      'select count(*)::int as n, count(distinct text)::int as states, max(text_or_null) as last from ' +
        'read_parquet(FILE)',
    ),
  ).toEqual([{ n: 400, states: 3, last: 'reply 99' }]);
});

test('a lone surrogate, which UTF-8 cannot hold, becomes U+FFFD', async () => {
  const found = await query(encodeTable(table, [row(1, { text: 'a\ud800b' })]), 'select text from read_parquet(FILE)');
  expect(found).toEqual([{ text: 'a\ufffdb' }]);
});

// Red with two metadata entries, whose order changes from call to call.
test('equal rows give equal bytes, again and in another process', () => {
  const rows = Array.from({ length: 50 }, (_, id) => row(id, full));
  const module = JSON.stringify(
    fileURLToPath(new URL('../../../../activities/storage/parts/parquet.ts', import.meta.url)),
  );
  const script = `import { createHash } from 'node:crypto'; import { encodeTable } from ${module};
    const { table, rows } = JSON.parse(process.argv[1]);
    console.log(createHash('sha256').update(encodeTable(table, rows)).digest('hex'));`;
  const other = execFileSync(process.execPath, ['--input-type=module', '-e', script, JSON.stringify({ table, rows })], {
    encoding: 'utf8',
  });
  const again = Array.from({ length: 20 }, () => createHash('sha256').update(encodeTable(table, rows)).digest('hex'));
  expect(new Set([other.trim(), ...again]).size).toBe(1);
});

test.each<[string, Row, string]>([
  [
    'an int of 33 bits',
    { int_or_null: 2 ** 31 },
    'column int_or_null: must be a whole number of 32 bits, got 2147483648',
  ],
  ['a fraction as int', { int_or_null: 0.5 }, 'column int_or_null: must be a whole number of 32 bits, got 0.5'],
  ['NaN', { float_or_null: Number.NaN }, 'column float_or_null: must be a finite number, got NaN'],
  [
    'an infinity in a list',
    { floats_or_null: [0, -Infinity] },
    'column floats_or_null: must be a list of finite numbers',
  ],
  ['a number as string', { text: 5 }, 'column text: must be a string, got 5'],
  ['a null where there is none', { text: null }, 'column text: this column is never null, got null'],
  ['an unknown column', { colour: 'red' }, 'column colour: the table has no such column'],
])('%s is refused by table, row and column', (_, wrong, message) => {
  expect(() => encodeTable(table, [row(1), row(7, wrong)])).toThrow(`table example, row id=7, ${message}`);
});

test('a row that lacks a column is refused', () => {
  const { text: _, ...lacking } = row(7, { text: 'x' });
  expect(() => encodeTable(table, [lacking])).toThrow(
    'table example, row id=7, column text: the row must have this column, got undefined',
  );
});
