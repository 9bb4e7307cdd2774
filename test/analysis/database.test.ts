import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { shellSql } from '../../analysis/shell-sql.ts';
import type { View } from '../../analysis/view.ts';
import { type Row, tables } from '../../schemas/tables.ts';
import { writeRun } from './run-fixture.ts';
import { inFull, long } from '../support/forms/long.ts';

let folder = '';
let database: RunDatabase;

const cell = (taskId: string): Row => ({
  run: 'r',
  study: 'loops',
  model: 'org/m',
  benchmark: 'mbpp',
  task_id: taskId,
  language: 'python',
  variant: 'original',
  setting: 'default',
  repetition: 0,
});
const loop = (taskId: string, sustained: number): Row => ({
  ...cell(taskId),
  sustained_loops: sustained,
  ended_by: 'code_failed',
  simulated: true,
});
const execution = (id: string, page: string): Row => ({ execution_id: id, page, outcome: 'pass', suite: 'base' });
const page1 = 'loops/org-m-1/r1p0000';
const page2 = 'loops/org-m-1/r1p0001';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "evenkeel it's "));
  await writeRun(folder, [
    { table: 'loops', page: page1, rows: [loop('MBPP/1', 3)] },
    { table: 'loops', page: page2, rows: [loop('MBPP/2', 1)], without: ['similarity_reason'] },
    {
      table: 'samples',
      page: page1,
      rows: [{ ...cell('MBPP/1'), loop: 1, step: 'generate', ask: 0, sample: 0, reply: 'x' }],
    },
    { table: 'executions', page: page1, rows: [execution('e1', page1), execution('e2', page1)] },
    { table: 'executions', page: page2, rows: [execution('e1', page2)] },
    {
      table: 'calls',
      page: page1,
      rows: [{ ...cell('MBPP/1'), call: 1, started_at: Date.UTC(2026, 10, 20, 20, 0, 0, 125), usd: 0.1 }],
    },
    { table: 'asl', page: 'run', rows: [{ run: 'r', model: 'old' }], revision: 1 },
    { table: 'asl', page: 'run', rows: [{ run: 'r', model: 'new', n_sustained: [1, 2, 3] }], revision: 2 },
  ]);
  await writeFile(join(folder, 'loops/study=loops/model=org-m-1/stray.parquet'), 'not listed, so never read');
  database = await openRun(folder);
});

afterAll(async () => {
  database?.close();
  await rm(folder, { recursive: true });
});

test('every table has a view with column run and all its typed columns, even without parts', async () => {
  const { rows } = await database.query(
    'SELECT table_name, list(column_name ORDER BY column_name) FROM information_schema.columns GROUP BY 1 ORDER BY 1',
  );
  const expected = Object.values(tables).map((table) => [
    table.name,
    [...new Set(['run', ...Object.keys(table.columns)])].toSorted(),
  ]);
  expect(rows).toEqual(expected.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  expect(await database.query('SELECT n_cases, reference_wall_ms FROM suites')).toEqual({
    columns: [
      { name: 'n_cases', type: 'BIGINT' },
      { name: 'reference_wall_ms', type: 'DOUBLE' },
    ],
    rows: [],
    hasMore: false,
  });
});

test('a view holds the rows of exactly the manifest’s parts; a column that a part lacks is null', async () => {
  const { rows } = await database.query(
    'SELECT task_id, sustained_loops, similarity_reason FROM loops ORDER BY task_id',
  );
  expect(rows).toEqual([
    ['MBPP/1', 3, null],
    ['MBPP/2', 1, null],
  ]);
});

// Red before: INSTALL was called LOAD.
test('a statement that is not a query is refused, naming its first word', async () => {
  await expect(database.query('-- more formats\ninstall httpfs')).rejects.toThrow('SUMMARIZE, not INSTALL');
});

// Red before: a stack trace of the decoder.
long(`a value that is longer than a string can be is refused${inFull}`, async () => {
  await expect(database.query("select repeat('x', 600000000)")).rejects.toThrow('select a part of it');
});

test('the model is the id in the rows, not the slug in the path', async () => {
  expect((await database.query('SELECT DISTINCT model FROM loops')).rows).toEqual([['org/m']]);
});

// Red when every table's view is made on opening: a run has thousands of files, and DuckDB opens each.
test('a table’s files are opened for the first query that names it, itself or by a view', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'evenkeel-lazy-'));
  await cp(folder, copy, { recursive: true });
  const file = join(copy, 'loops/study=loops/model=org-m-1/r1p0000.r1.parquet');
  await writeFile(file, Buffer.alloc((await stat(file)).size));
  const sql = (): string => 'SELECT count(*) FROM loops';
  const view: View = { table: { ...tables.loops, name: 'looked' }, sql };
  const spoiled = await openRun(copy, { views: [view] });
  expect((await spoiled.query('SELECT task_id FROM samples')).rows).toEqual([['MBPP/1']]);
  expect((await spoiled.query('DESCRIBE samples')).rows.length).toBe(Object.keys(tables.samples.columns).length);
  await expect(spoiled.query('SELECT * FROM looked')).rejects.toThrow(file);
  await expect(spoiled.query('SELECT count(*) FROM "LOOPS"')).rejects.toThrow(file);
  spoiled.close();
  await rm(copy, { recursive: true });
});

test('executions that two pages share are shown once', async () => {
  expect((await database.query('SELECT execution_id, page FROM executions ORDER BY 1')).rows).toEqual([
    ['e1', page1],
    ['e2', page1],
  ]);
});

test('of a part with two revisions only the newest counts', async () => {
  expect((await database.query('SELECT model, n_sustained FROM asl')).rows).toEqual([['new', [1, 2, 3]]]);
});

test('values are exact JSON: whole numbers, long ones as text, decimals as text, times in UTC', async () => {
  const sql =
    "SELECT count(*), 9007199254740993::BIGINT, 0.1::DECIMAL(18,8), 'NaN'::DOUBLE, NULL, [1, 2]::BIGINT[], (SELECT " +
    'started_at FROM calls), true, usd FROM calls GROUP BY ALL';
  expect((await database.query(sql)).rows).toEqual([
    [1, '9007199254740993', '0.10000000', 'NaN', null, [1, 2], '2026-11-20 20:00:00.125+00', true, 0.1],
  ]);
});

const outside = join(tmpdir(), `evenkeel-escape-${process.pid}`);

test.each([
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM '/etc/passwd'",
  "SELECT content FROM read_text('/etc/passwd')",
  "SELECT * FROM glob('/etc/*')",
  `COPY (SELECT 1) TO '${outside}'`,
  `EXPLAIN ANALYZE COPY (SELECT 1) TO '${outside}'`,
  `PREPARE p AS COPY (SELECT 1) TO '${outside}'`,
  `ATTACH '${outside}'`,
  `EXPORT DATABASE '${outside}'`,
])('user SQL cannot leave the run: %s', async (sql) => {
  await expect(database.query(sql)).rejects.toThrow(/disabled by configuration|read-only|does not exist/);
  expect(existsSync(outside)).toBe(false);
});

test.each([
  "COPY loops TO 'copied.csv'",
  'INSTALL httpfs',
  'LOAD httpfs',
  'SET enable_external_access = true',
  'RESET lock_configuration',
  `PRAGMA profiling_output = '${outside}'`,
  'PRAGMA enable_profiling',
  "CALL enable_logging('QueryLog')",
  'CREATE TABLE t AS SELECT 1',
  'DROP VIEW loops',
  'EXPLAIN ANALYZE SELECT 1',
])('user SQL cannot change settings, load or create: %s', async (sql) => {
  await expect(database.query(sql)).rejects.toThrow('a run is read-only');
  await expect(database.query(sql)).rejects.toMatchObject({ name: 'InputError' });
});

// Red before: a syntax error in SQL that nobody wrote, or a table that cannot be found.
test.each(['PRAGMA database_list', 'INSERT INTO loops SELECT * FROM loops', `EXPORT DATABASE 'copied'`])(
  'user SQL that changes something is told so, however it is asked: %s',
  async (sql) => {
    const [word = ''] = sql.split(' ');
    await expect(database.query(sql)).rejects.toThrow(`a run is read-only: use SELECT, WITH, FROM, DESCRIBE, SHOW`);
    await expect(database.stream(sql)).rejects.toThrow(`not ${word}`);
  },
);

test('user SQL cannot read the manifest or other files of the run folder, nor overwrite a part', async () => {
  await expect(
    database.query(`SELECT * FROM read_text('${join(folder, 'manifest.json').replaceAll("'", "''")}')`),
  ).rejects.toThrow('disabled');
  const part =
    (await readdir(join(folder, 'loops'), { recursive: true })).find(
      (name) => name.endsWith('.parquet') && !name.includes('stray'),
    ) ?? '';
  const file = join(folder, 'loops', part);
  const before = await readFile(file);
  await expect(database.query(`COPY (SELECT 1) TO '${file.replaceAll("'", "''")}'`)).rejects.toThrow('not COPY');
  expect(await readFile(file)).toEqual(before);
});

test.each(['', '  -- nothing\n', ';'])('empty SQL %j is refused', async (sql) => {
  await expect(database.query(sql)).rejects.toThrow('empty');
});

test('several statements are refused before any of them runs', async () => {
  await expect(database.query('SELECT 1; SELECT 2')).rejects.toThrow('expected one statement, got 2');
});

test('an error in the SQL is reported in DuckDB’s words, which name the nearest column', async () => {
  await expect(database.query('SELECT sustained_lops FROM loops')).rejects.toThrow('sustained_loops');
});

test.each([
  'FROM loops',
  'DESCRIBE loops',
  'SHOW TABLES',
  'SUMMARIZE loops',
  'WITH a AS (SELECT 1) FROM a',
  'VALUES (1)',
])('%s is allowed', async (sql) => {
  expect((await database.query(sql)).rows.length).toBeGreaterThan(0);
});

test('the shell SQL makes the same views in another DuckDB', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(await shellSql(folder));
  const reader = await connection.runAndReadAll('SELECT task_id, sustained_loops FROM loops ORDER BY 1');
  expect(reader.getRowsJson()).toEqual([
    ['MBPP/1', '3'],
    ['MBPP/2', '1'],
  ]);
  connection.closeSync();
});

test('two runs open together differ in column run', async () => {
  const second = await mkdtemp(join(tmpdir(), 'evenkeel-second-'));
  await writeRun(second, [{ table: 'loops', page: page1, rows: [{ ...loop('MBPP/1', 2), run: 's' }] }], { runId: 's' });
  const both = await openRun([folder, second]);
  expect((await both.query('SELECT run, count(*) FROM loops GROUP BY 1 ORDER BY 1')).rows).toEqual([
    ['r', 2],
    ['s', 1],
  ]);
  both.close();
  await rm(second, { recursive: true });
});

test('a truncated part and a folder that is not a run are named', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'evenkeel-broken-'));
  await expect(openRun(broken)).rejects.toThrow('a run folder must hold manifest.json');
  const manifest = await writeRun(broken, [{ table: 'loops', page: page1, rows: [loop('MBPP/1', 2)] }]);
  const part = manifest.parts[0];
  await truncate(join(broken, part?.path ?? ''), 10);
  await expect(openRun(broken)).rejects.toThrow(`lists ${part?.bytes} bytes, found 10`);
  await writeFile(join(broken, 'manifest.json'), JSON.stringify({ formatVersion: 3 }));
  await expect(openRun(broken)).rejects.toThrow('run format 3; this program reads format 2: update it');
  await rm(broken, { recursive: true });
});

test('a database that is closed while a query runs answers that query first', async () => {
  const own = await openRun(folder);
  const slow = own.query('SELECT sum(a.range * b.range) AS total FROM range(20000) a, range(2000) b');
  await expect(own.query('SELECT nothing')).rejects.toThrow('nothing');
  own.close();
  expect((await slow).rows).toHaveLength(1);
});

test('a part with changed bytes is named with what to do, on opening or by the first query of it', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'evenkeel-flipped-'));
  const { parts } = await writeRun(broken, [
    { table: 'loops', page: page1, rows: [loop('MBPP/1', 3), loop('MBPP/2', 1)] },
  ]);
  const file = join(broken, parts[0]?.path ?? '');
  const bytes = await readFile(file);
  const asked = async (): Promise<void> => {
    const opened = await openRun(broken);
    await opened.query('select * from loops').finally(opened.close);
  };
  await asked();
  for (const from of [0, 4]) {
    await writeFile(
      file,
      bytes.map((byte, index) => (index >= from && index < bytes.length - 8 ? byte ^ 0xff : byte)),
    );
    await expect(asked()).rejects.toThrow(/loops.*\.parquet: its SHA-256 is not .*evenkeel verify .* --repair/);
  }
  await rm(broken, { recursive: true });
});

// Red without part-trust.ts: 4 of 16 single flips gave other numbers without an error.
test('no flipped bit of a part gives other rows: the query that reads it names the part', async () => {
  const broken = await mkdtemp(join(tmpdir(), 'evenkeel-bits-'));
  const rows = Array.from({ length: 400 }, (_, task) => loop(`MBPP/${task}`, task % 7));
  const { parts } = await writeRun(broken, [
    { table: 'loops', page: page1, rows },
    { table: 'prompts', page: page1, rows: [{ prompt_sha256: 'a', page: page1, messages: '[]' }] },
  ]);
  const file = join(broken, parts[0]?.path ?? '');
  const bytes = await readFile(file);
  for (let count = 0; count < 24; count += 1) {
    const bit = Math.floor(((count + Math.random()) * 8 * bytes.length) / 24);
    await writeFile(
      file,
      bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)),
    );
    const asked = async (sql: string): Promise<unknown> => {
      const opened = await openRun(broken);
      return opened.query(sql).finally(opened.close);
    };
    for (const sql of ['select sum(sustained_loops) from loops', `select count(*) from read_parquet('${file}')`])
      await expect(asked(sql), `bit ${bit}`).rejects.toThrow(/loops.*\.parquet: its SHA-256 is not/);
  }
  // Other tables are read; damage is met where it is asked for.
  await writeFile(file, bytes.with(bytes.length >> 1, (bytes[bytes.length >> 1] ?? 0) ^ 1));
  const opened = await openRun(broken).catch(() => null);
  if (opened !== null) expect((await opened.query('select count(*)::int from prompts')).rows).toEqual([[1]]);
  opened?.close();
  await rm(broken, { recursive: true });
}, 180_000);

// Red without the second opening: the part is named as missing.
test('a query while a newer part replaces an older one gives the newer rows', async () => {
  const going = await mkdtemp(join(tmpdir(), 'evenkeel-going-'));
  const { parts: before } = await writeRun(going, [{ table: 'loops', page: page1, rows: [loop('MBPP/1', 3)] }]);
  const opened = await openRun(going);
  await writeRun(going, [{ table: 'loops', page: page1, rows: [loop('MBPP/1', 2)], revision: 2 }]);
  const moved = join(going, 'superseded', before[0]?.path ?? '');
  await mkdir(dirname(moved), { recursive: true });
  await rename(join(going, before[0]?.path ?? ''), moved);
  expect((await opened.query('select sustained_loops::int from loops')).rows).toEqual([[2]]);
  opened.close();
  await rm(going, { recursive: true });
});
