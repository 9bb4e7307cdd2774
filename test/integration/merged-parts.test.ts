/**
 * A lane of several pages ends as one file per table: for readers the same rows, also after damage, after more samples
 * and after a kill at any moment.
 */
import { randomInt } from 'node:crypto';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyRun } from '../../activities/storage/verify/verify.ts';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { openRun } from '../../analysis/database.ts';
import { seedOf, uniform } from '../../domain/random.ts';
import type { AnsweredRun } from '../support/answered-run.ts';
import { type Deployment, openDeployment } from '../support/deployment.ts';
import { expectReadable, mergingPoints, mergingWhileSealing, survivesKill } from '../support/kills/finish-kills.ts';
import { finishRun } from '../support/kills/finish-run.ts';
import { manyPages, manyPagesSpec } from '../support/kills/many-pages.ts';
import { stableRows } from '../support/stable-rows.ts';

let deployment: Deployment;

let answered: AnsweredRun;

const folder = (run: string): string => join(deployment.runsDir, run);
const files = (run: string, table: string): string[] => globSync(join(folder(run), table, '**/*.parquet'));

beforeAll(async () => {
  deployment = await openDeployment();
  answered = await manyPages(deployment);
});
afterAll(() => deployment?.close());

test('five pages of a model end as one file per table, which names them, in the order of the plan', async () => {
  const { parts } = await readManifest(folder('many'));
  const samples = parts.filter(({ table }) => table === 'samples');
  const lane = samples[0]?.page.split('/').slice(0, 2).join('/');
  // The 516 cells are dealt to five pages, tasks in their order.
  const pages = { r1p0000: 103, r1p0001: 103, r1p0002: 103, r1p0003: 103, r1p0004: 104 };
  const named = Object.fromEntries(Object.entries(pages).map(([page, rows]) => [`${lane}/${page}`, rows]));
  expect(samples).toMatchObject([{ page: `${lane}/r1p0000-r1p0004`, rows: 516, pages: named }]);
  for (const table of ['samples', 'prompts', 'verdicts', 'executions', 'calls', 'pass_counts'])
    expect(files('many', table).length, table).toBe(1);
  // What the pages' own files held is nowhere twice.
  expect(globSync(join(folder('many'), 'superseded/**/*.parquet'))).toEqual([]);
  await expectReadable(folder('many'), 'merged');
  expect(await verifyRun(folder('many'), { plain: ['pass_counts'] })).toMatchObject({
    ok: true,
    problems: [],
    strays: [],
  });
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const source = `read_parquet('${files('many', 'samples')[0]}', file_row_number = true)`;
  const order = await connection.runAndReadAll(
    `select task_id from ${source} group by 1 order by min(file_row_number)`,
  );
  expect(order.getRows().flat()).toEqual(['Tiny/1', 'Tiny/2', 'Tiny/3', 'Tiny/4']);
});

test('a damaged merged file is built again with the same bytes', async () => {
  cpSync(folder('many'), join(deployment.folder, 'damaged', 'many'), { recursive: true });
  const runsDir = join(deployment.folder, 'damaged');
  const [file = ''] = globSync(join(runsDir, 'many', 'samples/**/*.parquet'));
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, 1000));
  rmSync(globSync(join(runsDir, 'many', 'pass_counts/**/*.parquet'))[0] ?? '');
  const end = await deployment.evenkeel('verify', 'many', '--repair', '--runs-dir', runsDir);
  expect([end.status, end.stdout.match(/^rebuilt: /gm)?.length], end.output).toEqual([0, 2]);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('a kill at any file operation of merging leaves a readable run, and ends like an undisturbed one', async () => {
  const seed = Number(process.env['EVENKEEL_FAULT_SEED'] ?? randomInt(2 ** 31));
  process.stdout.write(`points come from EVENKEEL_FAULT_SEED=${seed}\n`);
  const random = uniform(seedOf('merge', seed));
  for (const [from, to] of mergingPoints(3)) {
    const point = from + Math.floor(random() * (to - from));
    expect(await survivesKill(deployment.runsDir, answered, point)).toBe(true);
    expect(files('killed', 'samples').length).toBe(1);
  }
});

test('sealed pages are merged while others are open: the same rows, also after a kill at any moment', async () => {
  const { runsDir } = deployment;
  cpSync(folder('half'), folder('going'), { recursive: true });
  const pages = (await readManifest(folder('many'))).parts.find(({ table }) => table === 'samples')?.pages ?? {};
  const names = Object.keys(pages);
  // The fifth page stays open, as in a run that is stopped.
  await finishRun(runsDir, 'going', names.slice(0, 4), 4);
  const { parts } = await readManifest(folder('going'));
  const merged = parts.filter(({ table }) => table === 'samples');
  expect(merged).toMatchObject([{ rows: 412, pages: Object.fromEntries(Object.entries(pages).slice(0, 4)) }]);
  await finishRun(runsDir, 'going', undefined, 4);
  expect(files('going', 'samples').length).toBe(2);
  expect(await stableRows(folder('going'))).toEqual(answered.truth);
  expect(await verifyRun(folder('going'), { plain: ['pass_counts'] })).toMatchObject({ ok: true, strays: [] });
  const seed = Number(process.env['EVENKEEL_FAULT_SEED'] ?? randomInt(2 ** 31));
  process.stdout.write(`points come from EVENKEEL_FAULT_SEED=${seed}\n`);
  const random = uniform(seedOf('merge while sealing', seed));
  for (const [from, to] of mergingWhileSealing(2))
    expect(await survivesKill(runsDir, answered, from + Math.floor(random() * (to - from)), 4)).toBe(true);
});

test('more samples take merged files apart, and end as one file with the rows of a run of that size', async () => {
  const reader = await openRun(folder('many'));
  expect((await reader.query('select count(*) from samples')).rows).toEqual([[516]]);
  const larger = deployment.write('many.yaml', manyPagesSpec(2));
  const extended = await deployment.evenkeel('run', larger);
  expect(extended.status, extended.output).toBe(0);
  const whole = await deployment.evenkeel('run', larger, '--run', 'whole');
  expect(whole.status, whole.output).toBe(0);
  expect(await stableRows(folder('many'), ['run'])).toEqual(await stableRows(folder('whole'), ['run']));
  expect([files('many', 'samples').length, files('whole', 'samples').length]).toEqual([1, 1]);
  await expectReadable(folder('many'), 'extended');
  expect(await verifyRun(folder('many'), { plain: ['pass_counts'] })).toMatchObject({
    ok: true,
    problems: [],
    strays: [],
  });
  // A reader that was open all the time reads what counts now.
  expect((await reader.query('select count(*) from samples')).rows).toEqual([[1032]]);
  reader.close();
});
