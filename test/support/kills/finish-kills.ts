/** Kills the finish of a run at one of its file operations, and checks what is left. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { updateManifest } from '../../../activities/storage/manifest.ts';
import { openRun } from '../../../analysis/database.ts';
import { type Table, tables } from '../../../schemas/tables.ts';
import type { AnsweredRun } from '../answered-run.ts';
import { finishRun } from './finish-run.ts';
import { stableRows } from '../stable-rows.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';

/**
 * Points that a finish of `answeredRun` has, at least: each file is opened, written, made durable, named and made
 * durable in its folder.
 */
export const leastPoints = 200;

/** Points of a finish of five pages of one model: from the first merged file to the removal of the last merged page. */
const merging = [220, 370] as const;

/** The same where the first four pages are merged as soon as they are sealed. */
const mergingEarly = [185, 295] as const;

type Points = readonly [from: number, to: number];

const rangesOf = ([from, to]: Points, ranges: number): Points[] => {
  const length = (to - from) / ranges;
  return Array.from({ length: ranges }, (_, place) => [from + place * length, from + (place + 1) * length]);
};

/** Those points, in ranges of equal length. */
export const mergingPoints = (ranges: number): Points[] => rangesOf(merging, ranges);
export const mergingWhileSealing = (ranges: number): Points[] => rangesOf(mergingEarly, ranges);

const script = fileURLToPath(new URL('./finish-run.ts', import.meta.url));

/** Resets a finished run to the moment before its pages were sealed: everything is answered, nothing is written. */
export async function unsealed(runsDir: string, from: string, to: string): Promise<string[]> {
  const folder = join(runsDir, to);
  cpSync(join(runsDir, from), folder, { recursive: true });
  await updateManifest(folderHome(folder), (old) => ({ ...old, state: 'running', parts: [], seals: {} }));
  const database = new DatabaseSync(join(folder, 'ledger.sqlite'));
  database.exec(
    'delete from part; delete from merged_page; delete from spent_part; ' +
      "update page set state = 'open', cells_done = 0; update lane set sealed = 0, cells_done = 0",
  );
  const pages = database.prepare('select page from page order by id').all() as { page: string }[];
  database.close();
  for (const table of Object.keys(tables)) rmSync(join(folder, table), { recursive: true, force: true });
  return pages.map(({ page }) => page);
}

/** Finishes a copy with a kill at the given point; false if it finished before that. */
export async function killedAt(
  runsDir: string,
  from: string,
  to: string,
  point: number,
  mergedPages?: number,
): Promise<boolean> {
  rmSync(join(runsDir, to), { recursive: true, force: true });
  cpSync(join(runsDir, from), join(runsDir, to), { recursive: true });
  const env = { ...process.env, EVENKEEL_FAULT_POINT: String(point) };
  const args = [runsDir, to, ...(mergedPages === undefined ? [] : [String(mergedPages)])];
  return promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    env,
  }).then(
    () => false,
    (error: Error & { signal?: string; stderr?: string }) => {
      expect(error.signal, error.stderr).toBe('SIGKILL');
      return true;
    },
  );
}

/** Reading the tables' folders by a pattern finds no row twice, and `query` reads the run. */
export async function expectReadable(folder: string, at: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const table of Object.values(tables) as Table[]) {
    if (globSync(join(folder, table.name, '**/*.parquet')).length === 0) continue;
    const options = 'union_by_name = true, hive_partitioning = false';
    const files = `read_parquet('${folder}/${table.name}/**/*.parquet', ${options})`;
    const key = table.key.map((column) => `"${column}"`).join(', ');
    const doubles = await connection.runAndReadAll(`select ${key} from ${files} group by all having count(*) > 1`);
    expect(doubles.getRows(), `${at}: rows of ${table.name} that are there twice`).toEqual([]);
  }
  connection.closeSync();
  const database = await openRun(folder);
  for (const name of Object.keys(tables)) await database.query(`select count(*) from "${name}"`);
  database.close();
}

/**
 * Kills a finish at a point, checks what is left, and continues it. False if there is no such point.
 * @param mergedPages as many sealed pages are merged at once; default: only at the end
 */
export async function survivesKill(
  runsDir: string,
  { half, truth }: AnsweredRun,
  point: number,
  mergedPages?: number,
): Promise<boolean> {
  if (!(await killedAt(runsDir, half, 'killed', point, mergedPages))) return false;
  await expectReadable(join(runsDir, 'killed'), `killed at point ${point}`);
  await expectWholeAfter(runsDir, 'killed', truth, `killed at point ${point}`);
  return true;
}

/** The run finishes, and equals an undisturbed one. */
export async function expectWholeAfter(
  runsDir: string,
  runId: string,
  truth: Awaited<ReturnType<typeof stableRows>>,
  at: string,
): Promise<void> {
  const folder = join(runsDir, runId);
  await finishRun(runsDir, runId);
  await expectReadable(folder, at);
  expect(await verifyRun(folder), at).toMatchObject({ ok: true, problems: [], strays: [] });
  expect(await stableRows(folder), at).toEqual(truth);
  expect((JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as { state: string }).state, at).toBe(
    'complete',
  );
  expect(existsSync(join(folder, 'views.sql'))).toBe(true);
}
