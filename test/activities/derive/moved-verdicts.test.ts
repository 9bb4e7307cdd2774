/** Verdicts of a rescored run, compared with those of the original run some tasks at a time. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { movedTable } from '../../../activities/derive/moved-verdicts.ts';
import { openRun } from '../../../analysis/database.ts';
import { records } from '../../../analysis/records.ts';
import type { Row } from '../../../schemas/tables.ts';
import { writeHandCards } from '../../studies/cards/hand-cards.ts';

let folder = '';
let run = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
  run = await writeHandCards(folder);
  mkdirSync(join(run, 'inputs'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The original run: every third verdict was another one, and one suite more was judged. */
const original = `
  select * replace (case when hash(model, task_id, suite) % 3 = 0 then 'exception' else outcome end as outcome)
  from verdicts
  union all select * replace ('other' as suite) from verdicts`;

async function movedFrom(name: string, write: (file: string) => Promise<void>, atATime?: number): Promise<Row[]> {
  await write(join(run, 'inputs', name));
  const path = join(run, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as object;
  const verdicts = { file: `inputs/${name}`, sha256: 'a'.repeat(64) };
  const rescored = { run: 'o', uuid: '00000000-0000-4000-8000-000000000000', extraction: 'own', verdicts };
  writeFileSync(path, JSON.stringify({ ...manifest, rescored }));
  const database = await openRun(run);
  try {
    return [...((await movedTable({ tables: run, folder: run }, database, atATime)).moved_verdicts ?? [])];
  } finally {
    database.close();
  }
}

async function asLines(file: string): Promise<void> {
  const database = await openRun(run);
  const rows = await records(database, original);
  database.close();
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function asParquet(file: string): Promise<void> {
  const database = await openRun(run, { copyTo: file });
  await database.copy(original);
  database.close();
}

test('are the same from Parquet, a few tasks at a time, as from lines, all at once', async () => {
  const whole = await movedFrom('before.jsonl', asLines);
  expect(whole.length).toBeGreaterThan(100);
  expect(new Set(whole.map(({ suite }) => suite)).has('other')).toBe(false);
  expect(await movedFrom('before.parquet', asParquet)).toEqual(whole);
  expect(await movedFrom('before.parquet', asParquet, 50)).toEqual(whole);
});
