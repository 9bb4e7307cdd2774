/**
 * More loops and more samples extend a run: answers stay, only new calls are made, and the result equals that of a
 * run planned so from the start. Its files can be read by anyone, wherever the folder lies.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Table, tables } from '../../schemas/tables.ts';
import type { CommandEnd } from '../support/command.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { countedSql, recipe } from '../support/doc-recipes.ts';
import { stableRows } from '../support/stable-rows.ts';
import { benchmarkText, tinyTasks } from '../support/tiny-tasks.ts';

let deployment: Deployment;
const specFile = (maxLoops: number, samples: number): string =>
  deployment.write(
    'deeper.yaml',
    `
name: deeper
models:
  - id: Org/Sim-é
    provider: simulated
    profile: { competence: 0.9, driftPerLoop: 0.3, sensitivity: 0.2, logprobs: true }
  - { id: judge, provider: simulated, study: false }
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies:
  - { name: loops, kind: evaloop, benchmark: tiny, settings: { maxLoops: ${maxLoops}, judge: judge } }
  - { name: moods, kind: promptse, benchmark: tiny, settings: { variants: 1, samples: ${samples} } }
  - { name: plain, kind: pass, benchmark: tiny, settings: { samples: ${samples} } }
`,
  );
const answers = async (run: string): Promise<number> =>
  Number((await deployment.rows(run, "select count(*)::int as n from calls where status = 'answered'"))[0]?.['n']);

let before = 0;
beforeAll(async () => {
  deployment = await openDeployment();
  deployment.write('tiny.jsonl', benchmarkText(tinyTasks(6)));
  const first = await deployment.evenkeel('run', specFile(2, 2));
  expect(first.status, first.output).toBe(0);
  before = await answers('deeper');
}, 120_000);
afterAll(() => deployment?.close());

test('fewer loops or samples are refused, and named', async () => {
  const end = await deployment.evenkeel('run', specFile(1, 1));
  expect(end.status).toBe(2);
  expect(end.output).toContain('study loops: maxLoops 2 in the run, 1 in the spec');
  expect(end.output).toContain('study moods: samples 2 in the run, 1 in the spec');
  expect(end.output).toContain('study plain: samples 2 in the run, 1 in the spec');
}, 60_000);

test('an extended run equals a run of the larger size, and only what is new is asked', async () => {
  const larger = specFile(4, 5);
  const extended = await deployment.evenkeel('run', larger);
  expect(extended.status, extended.output).toBe(0);
  const whole = await deployment.evenkeel('run', larger, '--run', 'whole');
  expect(whole.status, whole.output).toBe(0);
  // Six tasks in loops, 36 prompts of moods (plan says so too), six plain tasks: a deeper cell is still one cell. Red
  // before: the extended run had more.
  const cellsOf = ({ stdout }: CommandEnd): string | undefined => /· (\d+ cells)/.exec(stdout)?.[1];
  expect([cellsOf(extended), cellsOf(whole)]).toEqual(['48 cells', '48 cells']);
  expect(before).toBeLessThan(await answers('whole'));
  // Each answer is asked for once in total.
  expect(await answers('deeper')).toBe(await answers('whole'));
  const folder = (run: string): string => join(deployment.runsDir, run);
  expect(await stableRows(folder('deeper'), ['run'])).toEqual(await stableRows(folder('whole'), ['run']));
  // Reading the folder directly gives no row twice.
  const parts = (run: string): number =>
    readdirSync(join(folder(run), 'loops'), { recursive: true }).filter((name) => String(name).endsWith('.parquet'))
      .length;
  expect(parts('deeper')).toBe(parts('whole'));
  const verified = await deployment.evenkeel('verify', 'deeper');
  expect(verified.status, verified.output).toBe(0);
}, 200_000);

test("the recipe for DuckDB, and the views that query prints, give an extended run's counts", async () => {
  const folder = join(deployment.runsDir, 'deeper');
  const counts = await deployment.rows('deeper', countedSql);
  expect(counts).toHaveLength(1);
  const statements = recipe('DuckDB and its user interface', 'sql')
    .replaceAll('data/runs/first-look', folder)
    .replace(`.read ${folder}/views.sql`, () => readFileSync(join(folder, 'views.sql'), 'utf8'));
  const { stdout: views } = await deployment.evenkeel('query', 'deeper', '--shell-sql');
  for (const sql of [statements, `${views}${countedSql}`]) {
    const connection = await DuckDBConnection.create();
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJson();
    connection.closeSync();
    const numbered = rows.map((row) => ({ ...row, answers: Number(row['answers']), passed: Number(row['passed']) }));
    expect(numbered).toEqual(counts);
  }
}, 60_000);

/** Stored once per page that used them; the views show each once (docs/tables.md). */
const oncePerPage = ['prompts', 'executions'];

/** The rows of each table as `query` counts them. */
async function countsOf(run: string, names: readonly string[]): Promise<Record<string, unknown>> {
  const [counts = {}] = await deployment.rows(
    run,
    `select ${names.map((name) => `(select count(*) from ${name})::int as ${name}`).join(', ')}`,
  );
  return counts;
}

test('whoever reads the files of an extended run by hand finds each row once, and the ids of models', async () => {
  const folder = join(deployment.runsDir, 'deeper');
  const duckdb = await (await DuckDBInstance.create()).connect();
  const ask = async (sql: string) => (await duckdb.runAndReadAll(sql)).getRows()[0] ?? [];
  const stored = (Object.values(tables) as Table[]).filter(({ name }) => existsSync(join(folder, name)));
  expect(stored.length).toBeGreaterThan(20);
  const counts = await countsOf(
    'deeper',
    stored.map(({ name }) => name),
  );
  for (const { name, key, columns } of stored) {
    const rows = `read_parquet('${join(folder, name)}/**/*.parquet', hive_partitioning = false, union_by_name = true)`;
    const [all, distinct] = await ask(`SELECT count(*)::INT, count(DISTINCT (${key.join(', ')}))::INT FROM ${rows}`);
    expect([name, distinct]).toEqual([name, all]);
    if (!oncePerPage.includes(name)) expect([name, all]).toEqual([name, counts[name]]);
    const model =
      'model' in columns ? await ask(`SELECT string_agg(DISTINCT model, ' ' ORDER BY model) FROM ${rows}`) : [];
    if (name === 'samples') expect(model).toEqual(['Org/Sim-é']);
  }
}, 60_000);

test('a copy of the folder under another name elsewhere can be listed, queried, verified and exported', async () => {
  const elsewhere = join(deployment.folder, 'else where');
  mkdirSync(elsewhere);
  const copy = join(elsewhere, 'renamed');
  cpSync(join(deployment.runsDir, 'deeper'), copy, { recursive: true });
  const at = ['--runs-dir', elsewhere];
  const listed = await deployment.evenkeel('status', ...at);
  expect(listed.output).toMatch(/renamed +│ complete/);
  for (const args of [
    ['verify', 'renamed'],
    ['query', 'renamed', 'from answers limit 1'],
    ['export', 'renamed', '--format', 'replay', '--out', join(elsewhere, 'replay.jsonl')],
    ['export', 'renamed', '--format', 'csv', '--out', join(elsewhere, 'answers.csv')],
  ]) {
    const end = await deployment.evenkeel(...args, ...at);
    expect([args[0], end.status], end.output).toEqual([args[0], 0]);
  }
  // The views of its own file, read from within the copy.
  const names = ['answers', 'samples', 'verdicts', 'executions', 'prompts', 'loops', 'pass_counts'];
  const duckdb = await (await DuckDBInstance.create()).connect();
  await duckdb.run(`SET file_search_path = '${copy}'`);
  const sql = readFileSync(join(copy, 'views.sql'), 'utf8');
  expect(sql).not.toContain(deployment.folder);
  await duckdb.run(sql);
  const counts: Record<string, unknown> = {};
  for (const name of names)
    counts[name] = (await duckdb.runAndReadAll(`SELECT count(*)::INT FROM ${name}`)).getRows()[0]?.[0];
  expect(counts).toEqual(await countsOf('deeper', names));
}, 60_000);
