/** The views over parts as the program's own writer makes them: every type, every null, exact. */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { DuckDBInstance } from '@duckdb/node-api';
import { encodeTable } from '../../activities/storage/parts/parquet.ts';
import { openRun } from '../../analysis/database.ts';
import { shellSql } from '../../analysis/shell-sql.ts';
import { aslRows } from '../../domain/metrics/asl-rows.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { type Column, type ColumnType, type Row, type Table, type TableName, tables } from '../../schemas/tables.ts';
import { studyViews } from '../../studies/answers.ts';
import { writeRun } from './run-fixture.ts';

const written: Record<ColumnType, Row[string]> = {
  string: "it's \u00e4 \u{1f600}\n<b>",
  int: 2_147_483_647,
  float: 0.1,
  bool: true,
  timestamp: Date.UTC(2026, 10, 20, 23, 59, 59, 999),
  intList: [0, 277],
  floatList: [-0.5, -20.25],
};
const read = { ...written, timestamp: '2026-11-20 23:59:59.999+00' };

const rowOf = (table: Table, values: Record<ColumnType, unknown>, value: (column: Column) => boolean): Row =>
  Object.fromEntries(
    Object.entries(table.columns).map(([name, column]) => [
      name,
      value(column) ? (values[column.type] as Row[string]) : null,
    ]),
  );

async function runOf(
  parts: readonly { readonly table: TableName; readonly rows: readonly Row[] }[],
  runId = 'r',
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-real-'));
  const listed: Manifest['parts'] = [];
  for (const { table, rows } of parts) {
    const bytes = encodeTable(tables[table], rows);
    const path = `${table}/study=s/model=m-000000/r1p0000.r1.parquet`;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    listed.push({
      path,
      table,
      page: 's/m-000000/r1p0000',
      rows: rows.length,
      bytes: bytes.length,
      sha256,
      schemaVersion: 1,
      revision: 1,
    });
  }
  const manifest = await writeRun(folder, []);
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, runId, parts: listed }));
  return folder;
}

test('a query gives what the Parquet writer wrote, for every table, type and null', async () => {
  const names = Object.keys(tables) as TableName[];
  const full = (table: TableName) => rowOf(tables[table], written, () => true);
  const sparse = (table: TableName) => rowOf(tables[table], written, ({ nullWhen }) => nullWhen === undefined);
  const folder = await runOf(names.flatMap((table) => ({ table, rows: [full(table), sparse(table)] })));
  const database = await openRun(folder);
  for (const name of names) {
    const once = name === 'prompts' || name === 'executions';
    const ownRun = 'run' in tables[name].columns;
    const { columns, rows } = await database.query(`SELECT ${ownRun ? '*' : '* EXCLUDE (run)'} FROM ${name}`);
    expect(columns.map((column) => column.name)).toEqual(Object.keys(tables[name].columns));
    const expected = [() => true, ({ nullWhen }: Column) => nullWhen === undefined].map((given) =>
      Object.values(rowOf(tables[name], read, given)),
    );
    expect(rows).toEqual(once ? expected.slice(0, 1) : expected);
  }
  database.close();
  await rm(folder, { recursive: true });
});

const tableNames = Object.keys(tables) as TableName[];
const runsOf = (name: TableName): string => `SELECT DISTINCT run FROM ${name} ORDER BY run`;

async function namedRun(runId: string): Promise<string> {
  const oneOf = (table: Table): Row => ({
    ...rowOf(table, written, () => true),
    ...('run' in table.columns ? { run: runId } : {}),
    ...(table.name === 'prompts' ? { messages: '[]' } : {}),
  });
  return runOf(
    tableNames.map((table) => ({ table, rows: [oneOf(tables[table])] })),
    runId,
  );
}

// Red before: no column `run` in prompts, executions, parallel_runs, quality, quality_messages and timings.
test('every table says by column run whose rows are whose, of one run and of two with the same programs', async () => {
  const folders = [await namedRun('monday'), await namedRun("it's tuesday")];
  const views = studyViews;
  const [one, both] = [await openRun(folders[0] as string, { views }), await openRun(folders, { views })];
  for (const name of tableNames) {
    expect([name, (await one.query(runsOf(name))).rows]).toEqual([name, [['monday']]]);
    expect([name, (await both.query(runsOf(name))).rows]).toEqual([name, [["it's tuesday"], ['monday']]]);
    const own = await both.query(`SELECT run FROM (${both.rowsOf(name, 'monday')})`);
    expect([name, own.rows]).toEqual([name, [['monday']]]);
  }
  // Each answer finds its own run's program and prompt, and once.
  expect((await both.query('FROM verdicts JOIN executions USING (run, execution_id)')).rows).toHaveLength(2);
  expect((await both.query('SELECT run, prompt, failing_input FROM answers')).rows).toHaveLength(2);
  for (const { close } of [one, both]) close();
  for (const folder of folders) await rm(folder, { recursive: true });
});

test('so do the statements for a DuckDB of one’s own', async () => {
  const folders = [await namedRun('monday'), await namedRun('tuesday')];
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [statements, runs] of [
    [await shellSql(folders), [['monday'], ['tuesday']]],
    [await shellSql(folders[1] as string), [['tuesday']]],
  ] as const) {
    await connection.run(statements);
    for (const name of tableNames)
      expect([name, (await connection.runAndReadAll(runsOf(name))).getRowsJson()]).toEqual([name, runs]);
  }
  connection.closeSync();
  for (const folder of folders) await rm(folder, { recursive: true });
});

test('the rows of aslRows can be written and come back unchanged, with and without estimates', async () => {
  const loops = tables.loops;
  const cell = (task: string, sustained: number, endedBy: string): Row => ({
    ...rowOf(loops, { ...written, int: 0 }, ({ nullWhen }) => nullWhen === undefined),
    task_id: task,
    variant: 'original',
    sustained_loops: sustained,
    ended_by: endedBy,
  });
  const settings = { maxLoops: 2, judge: 'j' };
  // Another function adds the cost of a solved task.
  const costs: Row = { usd_per_solved_task: null, usd_per_solved_task_lo: null, usd_per_solved_task_hi: null };
  const rows = [
    ...aslRows([cell('a', 2, 'survived'), cell('b', 0, 'code_failed')], settings),
    ...aslRows([cell('a', 1, 'excluded')], { ...settings, judge: null }),
  ].map((row) => ({ ...row, ...costs }));
  const folder = await runOf([{ table: 'asl', rows }]);
  const database = await openRun(folder);
  const result = await database.query('SELECT * FROM asl ORDER BY n DESC');
  expect(result.rows).toEqual(rows.map((row) => Object.keys(tables.asl.columns).map((column) => row[column])));
  database.close();
  await rm(folder, { recursive: true });
});
