import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRun } from '../../../analysis/database.ts';
import { tablesRead } from '../../../analysis/rows/tables-read.ts';
import { tables } from '../../../schemas/tables.ts';
import { writeRun } from '../run-fixture.ts';

const files = new Map([
  ["/runs/it's/loops/a.parquet", 'loops'],
  ['/runs/b.parquet', 'calls'],
]);
const read = (sql: string) => tablesRead(sql, files, [], [], null);
const everyTable = Object.keys(tables);

test('a query reads the tables whose files it lists, and those that it names', () => {
  const listed = "read_parquet(['/runs/it''s/loops/a.parquet', '/runs/b.parquet'], union_by_name = true)";
  expect(read(`SELECT * FROM ${listed}`)).toEqual({ named: [], byFile: ['loops', 'calls'] });
  expect(read(`SELECT * FROM ${listed} JOIN Samples USING (run)`)).toEqual({
    named: ['samples'],
    byFile: ['loops', 'calls'],
  });
  expect(read("FROM '/runs/b.parquet'")).toEqual({ named: [], byFile: ['calls'] });
});

test.each([
  "read_parquet('/runs/*.parquet')",
  "read_parquet(['/runs/b.parquet', '/runs/other.parquet'], union_by_name = true)",
  "read_parquet(['/runs/b.parquet'] || ['/runs/it''s/loops/a.parq' || 'uet'], union_by_name = true)",
  "read_parquet('/runs/b.parquet')",
  "parquet_metadata('/runs/b.parquet')",
  "-- it's one of two\nread_parquet(['/runs/b.parquet'], union_by_name = true)",
  "$$ ' $$, read_parquet(['/runs/b.parquet'], union_by_name = true)",
  "query('SELECT 1')",
])('a query may read every table by %s', (from) => {
  const { named, byFile } = read(`SELECT * FROM ${from}`);
  expect(everyTable.filter((table) => !named.includes(table) && !byFile.includes(table))).toEqual([]);
});

// Red when a path makes a query read all tables: a spoiled file of another one is found, and all files are hashed.
test('the rows of one table by its files leave the files of others alone, and its own are checked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-files-'));
  const { parts } = await writeRun(folder, [
    { table: 'loops', page: 'loops/m/1', rows: [{ run: 'r', sustained_loops: 3 }] },
    { table: 'samples', page: 'loops/m/1', rows: [{ run: 'r', loop: 1 }] },
  ]);
  const samples = join(folder, parts.find(({ table }) => table === 'samples')?.path ?? '');
  await writeFile(samples, Buffer.alloc((await stat(samples)).size));
  const opened = await openRun(folder);
  const rows = opened.rowsOf('loops', 'r');
  expect((await opened.query(`SELECT sustained_loops::INT FROM (${rows})`)).rows).toEqual([[3]]);
  await expect(opened.query(`SELECT count(*) FROM (${opened.rowsOf('samples', 'r')})`)).rejects.toThrow(samples);
  opened.close();
  await rm(folder, { recursive: true });
});
