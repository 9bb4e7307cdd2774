/** Malicious SQL: each statement fails, and nothing in or next to the run folder changes. */
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../analysis/database.ts';
import { tables } from '../../schemas/tables.ts';
import { writeRun } from './run-fixture.ts';

const secret = 'a secret outside the run';
let root = '';
let run = '';
let part = '';
let database: RunDatabase;

/** Every file under the root with its content. */
const snapshot = (): Map<string, string> =>
  new Map(
    readdirSync(root, { recursive: true })
      .map(String)
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'latin1')]),
  );

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'evenkeel-sql-'));
  run = join(root, 'run');
  mkdirSync(run);
  const manifest = await writeRun(run, [
    {
      table: 'loops',
      page: 'loops/m/r1p0',
      rows: [{ run: 'r', study: 'loops', model: 'm', task_id: 'MBPP/1', sustained_loops: 3 }],
    },
  ]);
  part = join(run, manifest.parts[0]?.path ?? '');
  writeFileSync(join(root, 'secret.csv'), `a\n${secret}\n`);
  writeFileSync(join(root, 'secret.json'), JSON.stringify({ a: secret }));
  writeFileSync(join(run, 'ledger.sqlite'), secret);
  symlinkSync(join(root, 'secret.csv'), join(run, 'link.csv'));
  mkdirSync(join(root, 'outside'));
  writeFileSync(join(root, 'outside/secret.csv'), `a\n${secret}\n`);
  symlinkSync(join(root, 'outside'), join(run, 'up'));
  linkSync(join(root, 'secret.csv'), join(run, 'loops', 'hard.csv'));
  database = await openRun(run);
});

afterAll(() => {
  database?.close();
  rmSync(root, { recursive: true });
});

/** `%` stands for the folder around the run, `&` for the run's only part. */
const statements = [
  "SELECT * FROM read_csv('%/secret.csv')",
  "SELECT * FROM read_csv_auto('%/run/link.csv')",
  "SELECT * FROM '%/secret.csv'",
  "FROM '%/secret.json'",
  "SELECT * FROM read_text('%/secret.csv')",
  "SELECT * FROM read_blob('%/run/ledger.sqlite')",
  "SELECT * FROM read_json('%/secret.json')",
  "SELECT * FROM read_parquet('%/run/../run/ledger.sqlite')",
  "SELECT * FROM read_text('&/../../../../../secret.csv')",
  "SELECT * FROM read_text('%/run/up/secret.csv')",
  "SELECT * FROM read_text('%/run/loops/hard.csv')",
  "SELECT * FROM read_text('/proc/self/environ')",
  "SELECT * FROM read_text('file://%/secret.csv')",
  "SELECT * FROM read_parquet(['&', '%/secret.csv'])",
  "SELECT * FROM sniff_csv('%/secret.csv')",
  "SELECT * FROM glob('%/*')",
  "SELECT * FROM glob('/etc/*')",
  "SELECT * FROM parquet_scan('%/run/**/*.csv')",
  "SELECT getenv('HOME')",
  "SELECT * FROM read_csv('https://example.org/a.csv')",
  "SELECT * FROM read_parquet('s3://bucket/a.parquet')",
  "SELECT * FROM sqlite_scan('%/run/ledger.sqlite', 'reply')",
  "WITH a AS (SELECT * FROM read_text('%/secret.csv')) SELECT * FROM a",
  "SELECT * FROM query('SELECT * FROM read_text(''%/secret.csv'')')",
  "SELECT * FROM query_table('%/secret.csv')",
  "DESCRIBE SELECT * FROM read_text('%/secret.csv')",
  "SUMMARIZE FROM '%/secret.csv'",
  "COPY loops TO '%/stolen.csv'",
  "COPY (SELECT 1) TO '&' (FORMAT parquet)",
  "COPY loops FROM '%/secret.csv'",
  "EXPORT DATABASE '%/stolen'",
  "IMPORT DATABASE '%/stolen'",
  "ATTACH '%/stolen.duckdb' AS s",
  "ATTACH '%/run/ledger.sqlite' AS s (TYPE sqlite)",
  'INSTALL httpfs',
  'FORCE INSTALL sqlite',
  "LOAD '%/secret.csv'",
  'SET enable_external_access = true',
  'SET GLOBAL lock_configuration = false',
  'RESET allowed_paths',
  "SET allowed_directories = ['/']",
  "SET temp_directory = '%'",
  "SET log_query_path = '%/stolen.log'",
  "PRAGMA temp_directory = '%'",
  "PRAGMA profile_output = '%/stolen.json'",
  'PRAGMA enable_verification',
  "CALL enable_logging(level = 'trace', storage = 'file', storage_path = '%/stolen')",
  "CREATE SECRET s (TYPE s3, KEY_ID 'a', SECRET 'b')",
  'CREATE VIEW v AS SELECT 1',
  'CREATE OR REPLACE VIEW loops AS SELECT 1 AS sustained_loops',
  'CREATE MACRO loops() AS 1',
  'INSERT INTO loops SELECT * FROM loops',
  'UPDATE loops SET sustained_loops = 10',
  'DELETE FROM loops',
  'DROP VIEW loops',
  'ALTER VIEW loops RENAME TO l',
  'SELECT 1; SELECT 2',
  "SELECT 1; COPY loops TO '%/stolen.csv'",
  "PREPARE p AS COPY loops TO '%/stolen.csv'",
  'EXPLAIN ANALYZE DELETE FROM loops',
  'BEGIN TRANSACTION',
  'CHECKPOINT',
  'VACUUM',
  'USE memory.main',
];

test.each(statements)('refused, and nothing has changed: %s', async (statement) => {
  const before = snapshot();
  const sql = statement.replaceAll('%', root).replaceAll('&', part);
  await expect(database.query(sql)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.not.stringContaining(secret),
  });
  expect(snapshot()).toEqual(before);
  expect((await database.query('SELECT sustained_loops FROM loops')).rows).toEqual([[3]]);
});

test('settings, secrets and open files reveal nothing of the host', async () => {
  for (const sql of ['FROM duckdb_secrets()', 'FROM duckdb_temporary_files()', 'FROM duckdb_logs'])
    expect((await database.query(sql).catch(() => ({ rows: [] }))).rows).toEqual([]);
  expect((await database.query("SELECT current_setting('lock_configuration')")).rows).toEqual([[true]]);
  expect(existsSync(join(root, 'stolen.csv'))).toBe(false);
  expect(Object.keys(tables)).toContain('loops');
});
