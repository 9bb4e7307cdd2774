/** Runs whose samples say what table `answers` says of them: the rows are those that its joins give. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { shellSql } from '../../../analysis/shell-sql.ts';
import type { View } from '../../../analysis/view.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { answersTable } from '../../../schemas/tables/answers.ts';
import { studyViews } from '../../../studies/answers.ts';
import { writeHandAnswers } from './hand-answers.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-sealed-'));
/** With and without a study whose answers another one shares; and with one call for three answers. */
const runs = { sharing: ['loops', 'moods', 'plain'], apart: ['loops', 'plain'], several: ['moods', 'plain'] };
type Name = keyof typeof runs;
const names = Object.keys(runs) as Name[];
const [answersView] = studyViews as readonly [View];
const order = `ORDER BY ${answersTable.key.join(', ')}`;

/** `plain` is in each. */
const sealings = { early: () => [], mixed: () => ['plain'], sealed: (name: Name) => runs[name] };
type Sealing = keyof typeof sealings;

const folderOf = (name: Name, sealing: Sealing): string => join(folder, `${name}-${sealing}`);
const databases = new Map<string, RunDatabase>();
const opened = (name: Name, sealing: Sealing): RunDatabase => databases.get(`${name} ${sealing}`) as RunDatabase;

beforeAll(async () => {
  for (const name of names)
    for (const sealing of Object.keys(sealings) as Sealing[]) {
      const path = folderOf(name, sealing);
      mkdirSync(path);
      await writeHandAnswers(path, { studies: runs[name], sealed: sealings[sealing](name) });
      databases.set(`${name} ${sealing}`, await openRun(path, { views: studyViews }));
    }
});
afterAll(() => {
  for (const database of databases.values()) database.close();
  rmSync(folder, { recursive: true });
});

const rowsOf = async (database: RunDatabase, sql: string) => (await database.query(sql)).rows;

// Red if a column of activities/rows/answer-columns.ts follows another rule than answers-sql.ts.
test.each(names)('the answers of a run are equal with and without what its samples say: %s', async (name) => {
  for (const columns of [...Object.keys(answersTable.columns), '*']) {
    const sql = `SELECT ${columns} FROM answers ${order}`;
    const wanted = await rowsOf(opened(name, 'early'), sql);
    expect(wanted.length).toBeGreaterThan(5);
    for (const sealing of ['sealed', 'mixed'] as const)
      expect([columns, sealing, await rowsOf(opened(name, sealing), sql)]).toEqual([columns, sealing, wanted]);
  }
});

const factsOf = ({ manifests }: RunDatabase, columns: readonly string[]): string | null | undefined =>
  answersView.facts?.(manifests, new Set(columns));

test('what samples say is used where all of them say it', async () => {
  const facts = async (name: Name, sealing: Sealing) => {
    const sql = factsOf(opened(name, sealing), ['usd', 'outcome']) ?? '';
    return (await rowsOf(opened(name, sealing), sql))[0];
  };
  // Whether all are judged; whether all are alone with their calls.
  expect(await facts('sharing', 'sealed')).toEqual([true, false]);
  expect(await facts('apart', 'sealed')).toEqual([true, true]);
  expect(await facts('several', 'sealed')).toEqual([true, true]);
  for (const name of names)
    for (const sealing of ['early', 'mixed'] as const) expect(await facts(name, sealing)).toEqual([false, false]);
});

test('samples are not asked for columns that need no other table, nor where a page has calls only', () => {
  const database = opened('apart', 'sealed');
  expect(factsOf(database, ['model', 'code'])).toBeNull();
  expect(factsOf(database, ['model', 'outcome'])).not.toBeNull();
  const [manifest] = database.manifests as readonly [Manifest];
  const [first] = manifest.parts.filter(({ table }) => table === 'samples');
  const parts = manifest.parts.filter((part) => part !== first);
  expect(answersView.facts?.([{ ...manifest, parts }], null)).toBeNull();
});

test('other tables are not read for what samples say', async () => {
  const sql = 'SELECT model, outcome, sum(usd) FROM answers GROUP BY ALL ORDER BY ALL';
  const isWanted = ({ table }: { table: string }): boolean => table === 'samples';
  const database = await openRun(folderOf('apart', 'sealed'), { views: studyViews, isWanted });
  expect(await rowsOf(database, sql)).toEqual(await rowsOf(opened('apart', 'early'), sql));
  database.close();
});

test('SQL for any DuckDB makes no use of it, since more rows may come', async () => {
  expect(await shellSql(folderOf('several', 'sealed'), studyViews)).not.toMatch(/\bs\.answer_/);
});
