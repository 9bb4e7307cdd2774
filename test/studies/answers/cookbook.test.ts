/** Every question of docs/cookbook.md, on a recorded run of every kind of study and on one made by hand. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun, type RunDatabase } from '../../../analysis/database.ts';
import { studyViews } from '../../../studies/answers.ts';
import { stored, type Stored } from './brute-force.ts';
import { writeHandAnswers } from './hand-answers.ts';
import { byHand } from './questions.ts';

const root = join(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/cookbook.md'), 'utf8');
const questions = [...page.matchAll(/^### (.+)$[\s\S]*?^```sql\n([\s\S]*?)^```$/gm)].map(
  ([, question = '', sql = ''], place) => ({ question, sql, place }),
);

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-cookbook-'));
const runs = { recorded: join(folder, 'before'), 'made by hand': join(folder, 'hand') };
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  const recorded = join(root, 'test/integration/fixtures/version-0.1/whole.tar.gz');
  execFileSync('tar', ['-xzf', recorded, '-C', folder]);
  mkdirSync(runs['made by hand']);
  await writeHandAnswers(runs['made by hand']);
});

test('there are ten questions, each with at most one join', () => {
  expect(questions.map(({ question }) => question)).toHaveLength(10);
  expect(byHand).toHaveLength(10);
  const joins = questions.map(({ sql }) => sql.match(/\bjoin\b/gi)?.length ?? 0);
  expect(Math.max(...joins)).toBe(1);
  expect(questions.filter(({ sql }) => /\bFROM \w+(?: \w+)?,/.test(sql))).toEqual([]);
});

describe.each(Object.keys(runs) as (keyof typeof runs)[])('of the run that is %s', (name) => {
  let database: RunDatabase;
  let rows: Stored;
  beforeAll(async () => {
    database = await openRun(runs[name], { views: studyViews });
    rows = await stored(database);
  });
  afterAll(() => database?.close());

  test.each(questions)('$question', async ({ sql, place }) => {
    const given = (await database.query(sql)).rows;
    const wanted = byHand[place]?.(rows) ?? [];
    // In the recorded run, somebody solves every task and no program times out.
    expect(wanted.length > 0 || name === 'recorded').toBe(true);
    expect(given.map((row) => row.map(rounded))).toEqual(wanted.map((row) => row.map(rounded)));
  });
});

/** To nine digits: sums are added up in another order. */
const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(9)) : value);
