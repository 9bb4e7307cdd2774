/** Table `answers` on the recorded run of every kind of study, and on the one made by hand. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import { folderViews, shellSql } from '../../../analysis/shell-sql.ts';
import type { View } from '../../../analysis/view.ts';
import type { Column } from '../../../schemas/tables.ts';
import { answersTable } from '../../../schemas/tables/answers.ts';
import { studyViews } from '../../../studies/answers.ts';
import { writeHandAnswers } from './hand-answers.ts';

const fixture = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');
const folder = mkdtempSync(join(tmpdir(), 'evenkeel-answers-'));
const recorded = join(folder, 'before');
const hand = join(folder, 'hand');
let database: RunDatabase;
let byHand: RunDatabase;

beforeAll(async () => {
  execFileSync('tar', ['-xzf', fixture, '-C', folder]);
  mkdirSync(hand);
  await writeHandAnswers(hand);
  database = await openRun(recorded, { views: studyViews });
  byHand = await openRun(hand, { views: studyViews });
});
afterAll(() => {
  database?.close();
  byHand?.close();
  rmSync(folder, { recursive: true });
});

const [answersView] = studyViews as readonly [View];
const columns: [string, Column][] = Object.entries(answersTable.columns);
const types = { string: 'VARCHAR', int: 'BIGINT', float: 'DOUBLE', bool: 'BOOLEAN' } as Readonly<
  Record<string, string>
>;

test('it has the columns that its description names, with their types', async () => {
  const { rows } = await database.query('SELECT column_name, column_type FROM (DESCRIBE answers)');
  expect(rows).toEqual(columns.map(([name, { type }]) => [name, types[type]]));
});

// Red with the join of another table, or none, for a column in `values` of answers-sql.ts.
test('each column alone has the values that it has among all', async () => {
  const inOrder = (values: readonly unknown[]): string[] => values.map((value) => JSON.stringify(value)).toSorted();
  for (const one of [database, byHand]) {
    const all = await records(one, 'FROM answers');
    expect(all.length).toBeGreaterThan(10);
    for (const [name, { type }] of columns) {
      const alone = answersView.sql(one.manifests, new Set([name]));
      const { rows } = await one.query(`SELECT ${name}, typeof(${name}) FROM (${alone})`);
      expect([name, inOrder(rows)]).toEqual([name, inOrder(all.map((row) => [row[name], types[type]]))]);
    }
  }
});

test('a table that no column of the query needs is not read', async () => {
  const damaged = join(folder, 'damaged');
  cpSync(hand, damaged, { recursive: true });
  const [prompts = ''] = globSync(join(damaged, 'prompts/**/*.parquet'));
  const bytes = readFileSync(prompts);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(prompts, bytes);
  const database = await openRun(damaged, { views: studyViews });
  const counted = 'SELECT outcome, count(*) FROM answers GROUP BY ALL ORDER BY ALL';
  expect((await database.query(counted)).rows).toEqual((await byHand.query(counted)).rows);
  await expect(database.query('SELECT max(prompt) FROM answers')).rejects.toThrow('its SHA-256 is not');
  database.close();
});

test('a column that is not said to be null never is', async () => {
  const never = columns.flatMap(([name, { nullWhen }]) => (nullWhen === undefined ? [name] : []));
  const nulls = never.map((name) => `count(*) FILTER (${name} IS NULL)::INT`).join(', ');
  for (const one of [database, byHand]) {
    const { rows } = await one.query(`SELECT ${nulls} FROM answers`);
    expect(rows[0]).toEqual(never.map(() => 0));
  }
});

test('it has a row per sample, and its key tells rows apart', async () => {
  const { rows } = await database.query(
    `SELECT (SELECT count(*) FROM samples)::INT, count(*)::INT, count(DISTINCT (${answersTable.key.join(', ')}))::INT
     FROM answers`,
  );
  const [[samples]] = rows as [[number]];
  expect(samples).toBeGreaterThan(500);
  expect(rows).toEqual([[samples, samples, samples]]);
});

/** By study, its own table's figure, and the same from `answers`; a row is a disagreement or a group that one lacks. */
const agreeing: Readonly<Record<string, string>> = {
  'asl: pass@1 of unchanged prompts': `
    SELECT study, model, pass_at_1 AS theirs, ours FROM asl FULL JOIN (
      SELECT study, model, avg(passed::INT) AS ours FROM answers
      WHERE kind = 'evaloop' AND counted AND loop = 1 AND step = 'generate' AND variant = 'original' GROUP BY ALL)
    USING (study, model)`,
  'chain_scores: pass@1 of the first translation': `
    SELECT study, model, pass_at_1 AS theirs, ours FROM chain_scores FULL JOIN (
      SELECT study, model, avg(passed::INT) AS ours FROM answers
      WHERE kind = 'evaloop-translation' AND counted AND loop = 1 GROUP BY ALL) USING (study, model)`,
  'prompt_scores: samples that pass, by prompt': `
    SELECT study, model, task_id, variant, repetition, pass_rate AS theirs, ours FROM prompt_scores FULL JOIN (
      SELECT study, model, task_id, variant, repetition, avg(passed::INT) AS ours FROM answers
      WHERE kind = 'promptse' AND counted GROUP BY ALL) USING (study, model, task_id, variant, repetition)`,
  'nfr_scores: cells that pass': `
    SELECT study, model, task_id, variant, setting, repetition, n.passed::INT AS theirs, ours
    FROM nfr_scores n FULL JOIN (
      SELECT study, model, task_id, variant, setting, repetition, sum(passed::INT) AS ours FROM answers
      WHERE kind LIKE 'robunfr-%' AND counted GROUP BY ALL)
    USING (study, model, task_id, variant, setting, repetition)`,
  'prompt_passes: prompts that pass': `
    SELECT study, model, task_id, variant, repetition, p.passed::INT AS theirs, ours FROM prompt_passes p FULL JOIN (
      SELECT study, model, task_id, variant, repetition, sum(passed::INT) AS ours FROM answers
      WHERE kind = 'specificity' AND counted GROUP BY ALL) USING (study, model, task_id, variant, repetition)`,
};

test.each(Object.entries(agreeing))('it agrees with %s', async (_, sql) => {
  const all = await database.query(sql);
  expect(all.rows.length).toBeGreaterThan(1);
  const apart = await database.query(
    `FROM (${sql}) WHERE theirs IS DISTINCT FROM ours AND NOT abs(theirs - ours) < 1e-12`,
  );
  expect(apart.rows).toEqual([]);
});

test('variant, detail, phrasing and setting say what each study varies', async () => {
  const { rows } = await database.query(
    `SELECT kind, list_sort(list(DISTINCT detail)), list_sort(list(DISTINCT phrasing)),
       list_sort(list(DISTINCT setting))
     FROM answers WHERE counted GROUP BY kind ORDER BY kind`,
  );
  const plain = ['original'];
  expect(rows).toEqual([
    ['evaloop', plain, plain, ['default']],
    ['evaloop-translation', plain, plain, ['default']],
    ['promptse', plain, expect.arrayContaining(['original']) as string[], ['default']],
    ['robunfr-prompts', plain, ['Guard against hostile input', 'Trust nobody', 'original'], expect.anything()],
    ['robunfr-regression', plain, ['Guard against hostile input', 'Trust nobody', 'original'], expect.anything()],
    ['robunfr-workflows', plain, ['Make the code easy to read', 'Use clear names', 'original'], expect.anything()],
    ['specificity', expect.arrayContaining(['maximal', 'original', 'summary 10']) as string[], plain, ['default']],
  ]);
});

test('the costs of all calls are there once, a shared answer’s in equal parts', async () => {
  const { rows } = await byHand.query(
    'SELECT (SELECT sum(usd) FROM calls), sum(usd), sum(usd) FILTER (task_id = $$T/2$$) FROM answers',
  );
  const [[paid, shown, withLost]] = rows as [[number, number, number]];
  expect(shown).toBeCloseTo(paid, 12);
  // The third of each model's nine answers, and two lost calls.
  expect(withLost).toBeCloseTo(0.03 + 0.12 + 2 * 0.5, 12);
  const parts = await records(
    byHand,
    "FROM answers WHERE model = 'steady' AND task_id = 'T/1' AND step = 'generate' AND study <> 'plain' " +
      'ORDER BY study, sample',
  );
  // Loop 1 of `loops` (0.01) and the first of three answers in `moods` (0.3 / 3) share an answer.
  expect(parts.map(({ usd }) => Number(usd).toFixed(6))).toEqual(['0.055000', '0.055000', '0.100000', '0.100000']);
});

// Red before: the first loop of a cell that could not be judged later did not count, whereas one that failed did.
test('an excluded outcome and a summary do not count, and what an excluded cell is known to pass does', async () => {
  const { rows } = await byHand.query(
    "SELECT study, task_id, step, sample, outcome, counted FROM answers WHERE model = 'steady' ORDER BY ALL",
  );
  expect(rows).toEqual([
    ['loops', 'T/1', 'generate', 0, 'pass', true],
    ['loops', 'T/1', 'summarize', 0, null, false],
    ['loops', 'T/2', 'generate', 0, 'pass', true],
    ['loops', 'T/3', 'generate', 0, 'pass', true],
    ['loops', 'T/4', 'generate', 0, 'wrong_output', true],
    ['moods', 'T/1', 'generate', 0, 'pass', true],
    ['moods', 'T/1', 'generate', 1, 'wrong_output', true],
    ['moods', 'T/1', 'generate', 2, 'not_run', false],
    ['plain', 'T/1', 'generate', 0, 'wrong_output', true],
  ]);
});

test('a wrong answer comes with its prompt, input, expected value and request id', async () => {
  const [row] = await records(
    byHand,
    "FROM answers WHERE study = 'moods' AND model = 'steady' AND NOT passed AND counted",
  );
  expect(row).toMatchObject({
    prompt: 'Write code.\n\nshort',
    failing_suite: 'plus',
    failing_case: 4,
    failing_input: '[[3,1]]',
    expected: '[1,3]',
    got: '[3,1]',
    request_id: 'req-steady-b',
  });
});

test('two runs together give the rows of both', async () => {
  const both = await openRun([recorded, hand], { views: studyViews });
  const { rows } = await both.query(
    'SELECT run, count(*)::INT, sum(counted::INT)::INT FROM answers GROUP BY 1 ORDER BY 1',
  );
  both.close();
  const alone = async (one: RunDatabase) =>
    (await one.query('SELECT any_value(run), count(*)::INT, sum(counted::INT)::INT FROM answers')).rows;
  expect(rows).toEqual([...(await alone(database)), ...(await alone(byHand))]);
});

test.each([
  ['printed', () => shellSql(recorded, studyViews)],
  ['of several runs', () => shellSql([recorded, hand], studyViews)],
  ['in views.sql', async () => `SET file_search_path = '${recorded}';\n${await folderViews(recorded, studyViews)}`],
])('the SQL for any DuckDB, %s, makes it', async (_, sql) => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.run(await sql());
  const wanted = await database.query("SELECT count(*)::INT, sum(passed::INT)::INT FROM answers WHERE run = 'before'");
  const given = await connection.runAndReadAll(
    "SELECT count(*)::INT, sum(passed::INT)::INT FROM answers WHERE run = 'before'",
  );
  expect(given.getRows()).toEqual(wanted.rows);
  connection.closeSync();
});
