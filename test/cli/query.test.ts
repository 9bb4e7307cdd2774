/**
 * `query` with SQL that never ends: rows are limited, a long query is reported, and Ctrl-C ends it at once.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tables } from '../../schemas/tables.ts';
import { writeSampleRun } from '../analysis/sample-run.ts';
import { runCommand, startCommand } from '../support/command.ts';
import { until } from '../support/deployment.ts';

const runs = mkdtempSync(join(tmpdir(), 'evenkeel-'));
afterAll(() => rmSync(runs, { recursive: true, force: true, maxRetries: 5 }));
beforeAll(async () => {
  const models = [{ id: 'm', family: null, simulated: true, first: 0.9, later: 0.8 }];
  for (const runId of ['sample', 'other run']) {
    mkdirSync(join(runs, runId));
    const sample = { runId, models, tasks: 2, maxLoops: 2, judge: null, withAsl: false, missing: 0 };
    await writeSampleRun(join(runs, runId), sample);
  }
});

const query = (...args: string[]) => runCommand(['query', 'sample', ...args, '--runs-dir', runs]);
const linesOf = (text: string): string[] => text.trimEnd().split('\n');

test('the first hundred thousand rows are printed, with a line on how to get the rest', async () => {
  const { status, stdout, stderr } = await query('select * from range(1000000000000)');
  expect(status).toBe(0);
  expect(linesOf(stdout).slice(-2)).toEqual(['99999', '100000 rows; there are more']);
  expect(stderr).toContain('only the first 100000 rows');
  expect(stderr).toContain('--limit 1000000');
});

const main = join(import.meta.dirname, '../../cli/main.ts');
const piped = (...args: readonly string[]) =>
  spawnSync('sh', ['-c', '"$0" "$@" | cat', process.execPath, main, ...args, '--runs-dir', runs], { encoding: 'utf8' });

// Red before: `/dev/stdout: 2 rows` and `wrote /dev/stdout` were lines of the file.
test('a file on standard output has nothing after it; what was written is said on stderr', () => {
  const sql = 'select i from range(2) t(i)';
  const csv = piped('query', 'sample', sql, '--format', 'csv', '--out', '/dev/stdout');
  expect(csv.stdout).toBe('i\n0\n1\n');
  expect(csv.stderr).toMatch(/\/dev\/stdout: 2 rows\n$/);
  const report = piped('report', 'sample', '--format', 'json', '--out', '/dev/stdout');
  expect(JSON.parse(report.stdout)).toBeTypeOf('object');
  const answers = piped('export', 'sample', '--format', 'csv', '--out', '/dev/stdout');
  expect(answers.stdout).toMatch(/^task_id,/);
  expect(answers.stdout).not.toContain('/dev/stdout');
  expect(answers.stderr).toMatch(/^wrote \d+ answers, 1 file, [\d,]+ bytes to \/dev\/stdout$/m);
});

// Red before: the end of the progress line was written into the file.
test('a progress line on a terminal leaves no trace in a file on standard output', () => {
  const module = JSON.stringify(join(import.meta.dirname, '../../cli/output/terminal.ts'));
  const script = `import { createTerminal } from ${module};
    Object.defineProperty(process.stderr, 'isTTY', { value: true });
    const terminal = createTerminal(false);
    terminal.progress('5 answers read');
    terminal.out('done');`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['done\n', '\r\u001b[2K5 answers read\r\u001b[2K']);
});

test('a result of exactly the limit is complete', async () => {
  const { stdout, stderr } = await query('select * from range(3)', '--limit', '3');
  expect(linesOf(stdout).slice(-2)).toEqual(['2', '3 rows']);
  expect(stderr).toBe('');
});

test('a JSON document is complete or refused', async () => {
  const { status, stdout, stderr } = await query('select * from range(1000000000000)', '--limit', '3', '--json');
  expect(status).toBe(2);
  expect(JSON.parse(stdout)).toEqual({ error: expect.stringContaining('more than 3 rows') as string });
  expect(stderr).toContain('--limit 30');
});

test.each(['0', '-1', '1.5', 'all', ''])('a limit of %j is refused', async (limit) => {
  const { status, stderr } = await query('select 1', '--limit', limit);
  expect(status).toBe(2);
  expect(stderr).toContain('--limit');
});

test('a long query is reported, and Ctrl-C ends it within two seconds', async () => {
  const command = startCommand(['query', 'sample', 'select count(*) from range(1000000000000)', '--runs-dir', runs]);
  await until(() => /the query takes 1\d s so far; Ctrl-C ends it/.test(command.stderr()), command);
  const startMs = performance.now();
  command.process.kill('SIGINT');
  expect(await command.ended).toBe('SIGINT');
  expect(performance.now() - startMs).toBeLessThan(2_000);
});

const plainQuery = (...args: string[]) => runCommand(['query', ...args, '--runs-dir', runs]);

/** One of everything that a format may get wrong. */
const awkward =
  "select 1 as n, 'a, \"b\"' as t, null as nothing, '' as empty, [1, 2] as list, 'x' || chr(10) || '|y' as lines " +
  'union all select 2, $$=1+1$$, null, $$z$$, [], $$q$$ order by n';

test('CSV has values as they are: quoted where it must be, null apart from an empty text', async () => {
  const { stdout, status } = await query(awkward, '--format', 'csv');
  expect(status).toBe(0);
  expect(stdout).toBe('n,t,nothing,empty,list,lines\n1,"a, ""b""",,"","[1,2]","x\n|y"\n2,=1+1,,z,[],q\n');
});

test('JSON is a list of objects, also an empty one; two columns of one name are refused', async () => {
  const { stdout } = await query(awkward, '--format', 'json');
  expect(JSON.parse(stdout)).toEqual([
    { n: 1, t: 'a, "b"', nothing: null, empty: '', list: [1, 2], lines: 'x\n|y' },
    { n: 2, t: '=1+1', nothing: null, empty: 'z', list: [], lines: 'q' },
  ]);
  const none = await query('select 1 as one where false', '--format', 'json');
  expect(JSON.parse(none.stdout)).toEqual([]);
  const twice = await query('select 1 as a, 2 as a', '--format', 'json');
  expect(twice.status).toBe(2);
  expect(twice.stderr).toContain('two columns are named "a"');
});

test('Markdown has a row on one line', async () => {
  const { stdout } = await query(awkward, '--format', 'md');
  expect(linesOf(stdout)).toEqual([
    '| n | t | nothing | empty | list | lines |',
    '|---|---|---|---|---|---|',
    '| 1 | a, "b" |  |  | \\[1,2\\] | x \\|y |',
    '| 2 | =1+1 |  | z | \\[\\] | q |',
  ]);
});

test('Parquet keeps values and types, for SELECT and for DESCRIBE', async () => {
  const out = join(runs, "it's.parquet");
  const { status, stdout } = await query(`${awkward} -- all;`, '--format', 'parquet', '--out', out);
  expect([status, stdout]).toEqual([0, `${out}: 2 rows\n`]);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const read = async () => {
    const reader = await connection.runAndReadAll(`from '${out.replaceAll("'", "''")}'`);
    return [reader.columnTypes().map(String), reader.getRowsJson()];
  };
  expect(await read()).toEqual([
    ['INTEGER', 'VARCHAR', 'INTEGER', 'VARCHAR', 'INTEGER[]', 'VARCHAR'],
    [
      [1, 'a, "b"', null, '', [1, 2], 'x\n|y'],
      [2, '=1+1', null, 'z', [], 'q'],
    ],
  ]);
  const described = await query('describe loops;', '--format', 'parquet', '--out', out, '--json');
  expect(JSON.parse(described.stdout)).toEqual({ out, rows: Object.keys(tables.loops.columns).length });
  connection.closeSync();
});

test('a file that cannot be finished does not appear, and one that was there stays', async () => {
  const out = join(runs, 'kept.csv');
  await query('select 1 as a', '--format', 'csv', '--out', out);
  const failing = "select case when range = 900000 then error('here') else '' end from range(1000000)";
  for (const format of ['csv', 'parquet']) {
    const { status, stderr } = await query(failing, '--format', format, '--out', out);
    expect([status, stderr]).toEqual([2, expect.stringContaining('here')]);
    expect(readFileSync(out, 'utf8')).toBe('a\n1\n');
    expect(existsSync(`${out}.tmp`)).toBe(false);
  }
});

// Red before: by the time zone of the process, and a query's text depended on where it was asked.
test('times are in UTC, wherever the command runs', async () => {
  const sql = "select '2026-07-01 12:00:00+00'::timestamptz as t, [t] as list";
  const env = { ...process.env, TZ: 'Pacific/Kiritimati' };
  const { stdout } = await runCommand(['query', 'sample', sql, '--format', 'csv', '--runs-dir', runs], env);
  expect(linesOf(stdout)[1]).toBe('2026-07-01 12:00:00+00,"[""2026-07-01 12:00:00+00""]"');
});

// Red before: --out /dev/null as root put a file in the device's place.
test('Parquet is not written over a pipe or a device, and through a link', async () => {
  const [pipe, link] = [join(runs, 'pipe'), join(runs, 'link.parquet')];
  execFileSync('mkfifo', [pipe]);
  const { status, stderr } = await query('select 1', '--format', 'parquet', '--out', pipe);
  expect([status, stderr]).toEqual([2, expect.stringContaining(`${pipe}  is a device or a pipe; expected a file`)]);
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  writeFileSync(join(runs, 'target.parquet'), '');
  symlinkSync(join(runs, 'target.parquet'), link);
  expect((await query('select 1', '--format', 'parquet', '--out', link)).status).toBe(0);
  expect([lstatSync(link).isSymbolicLink(), statSync(join(runs, 'target.parquet')).size > 0]).toEqual([true, true]);
});

// Red before: a stack trace.
test.runIf(existsSync('/dev/full')).each([[], ['--json'], ['--format', 'csv']])(
  'a full disk behind the output is named: %j',
  (...args) => {
    const program = join(import.meta.dirname, '../../bin/evenkeel.mjs');
    const full = openSync('/dev/full', 'w');
    const command = [program, 'query', 'sample', 'select 1', '--runs-dir', runs, ...args];
    const { status, stderr } = spawnSync(process.execPath, command, { stdio: ['ignore', full, 'pipe'] });
    closeSync(full);
    expect([status, String(stderr)]).toEqual([
      2,
      'standard output  the disk is full, so the output is not complete: free some space, or write it elsewhere\n',
    ]);
  },
);

test.each([
  [['--format', 'xml'], 'must be one of text, csv, json, md, parquet'],
  [['--format', 'parquet'], '--out FILE'],
  [['--format', 'parquet', '--out', '/tmp/x.parquet', '--limit', '3'], 'LIMIT in the SQL'],
  [['--format', 'csv', '--json'], '--out FILE'],
])('%j is refused', async (args, why) => {
  const { status, stderr } = await query('select 1', ...args);
  expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('a limit holds for every format, and says so', async () => {
  const { stdout, stderr } = await query('select * from range(100000)', '--format', 'csv', '--limit', '3');
  expect(linesOf(stdout)).toEqual(['range', '0', '1', '2']);
  expect(stderr).toContain('only the first 3 rows');
});

test('rows are written while they are read: 240 MB fit through a heap of 128 MB', async () => {
  const out = join(runs, 'many.csv');
  const sql = 'select range, repeat(chr((65 + range % 26)::int), 2000) as long from range(120000)';
  const command = startCommand(['query', 'sample', sql, '--format', 'csv', '--out', out, '--runs-dir', runs], {
    ...process.env,
    NODE_OPTIONS: '--max-old-space-size=128',
  });
  expect(await command.ended, command.output()).toBe(0);
  expect(statSync(out).size).toBeGreaterThan(240_000_000);
});

// The machine may be shared, so the best of three tries counts.
test('100,000 rows are text in less than five seconds', async () => {
  const sql = "select range, md5(range::varchar) as a, 'some words' as b, range / 7 as c from range(100000)";
  let best = Infinity;
  for (let tries = 0; tries < 3 && best >= 5_000; tries += 1) {
    const startMs = performance.now();
    const { stdout } = await query(sql);
    best = Math.min(best, performance.now() - startMs);
    expect(linesOf(stdout)).toHaveLength(100_003);
  }
  expect(best).toBeLessThan(5_000);
});

// Red without the mark after the last row (row-stream.ts): DuckDB ends such a stream without a word.
test('a query that fails at a later row fails, and the rows are in order to the end', async () => {
  const failing = "select case when range = 90000 then error('at 90000') else range end as r from range(100000)";
  const { status, stderr } = await query(failing);
  expect([status, stderr]).toEqual([2, expect.stringContaining('at 90000')]);
  const { stdout } = await query('select range as r from range(50000) order by r desc', '--format', 'csv');
  expect(linesOf(stdout)).toEqual(['r', ...Array.from({ length: 50_000 }, (_, place) => String(49_999 - place))]);
});

test('several runs come before the SQL, and their rows carry the run', async () => {
  const sql = 'select run, count(*)::int as n from answers group by run order by run';
  const { stdout } = await plainQuery('sample', 'other run', sql, '--json');
  const [one] = (JSON.parse((await query(sql, '--json')).stdout) as { rows: [string, number][] }).rows;
  expect(JSON.parse(stdout)).toMatchObject({
    rows: [
      ['other run', one?.[1]],
      ['sample', one?.[1]],
    ],
  });
});

test.each([
  ['a single word is a mistyped run', ['sample', 'othr'], 'no run "othr"'],
  ['the same run twice', ['sample', 'sample', 'select 1'], 'name each run once'],
  ['one word is a run', ['select 1'], 'no run "select 1"'],
])('%s', async (_, words, why) => {
  const { status, stderr } = await plainQuery(...words);
  expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
});

test('without SQL, several runs give the index; a name of a run with a space is no SQL', async () => {
  const { status, stdout } = await plainQuery('sample', 'other run');
  expect(status).toBe(0);
  expect(linesOf(stdout)[0]).toMatch(/^answers\s+One row per sample/);
});

test('`answers` is described like a stored table', async () => {
  const { stdout } = await query('--tables', 'answers');
  expect(stdout).toContain('  failing_input (string): ');
});
