/** `verify` of a run whose ledger cannot be read: that is the one problem, since its tables are intact. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { folderHome } from '../../../../activities/storage/home/folder-home.ts';
import { publishManifest, setRunState } from '../../../../activities/storage/manifest.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { createRunFolder } from '../../../../activities/storage/run-folder.ts';
import { ledgerPath } from '../../../../activities/storage/run-paths.ts';
import { sealLedger } from '../../../../activities/storage/seals.ts';
import { stagePart } from '../../../../activities/storage/parts/parts.ts';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { verifyRun } from '../../../../activities/storage/verify/verify.ts';
import { pagePartStem } from '../../../../domain/part-paths.ts';
import { tables } from '../../../../schemas/tables.ts';
import { newFolder } from '../ledger/ledger-fixture.ts';
import { manifest } from '../manifest-fixture.ts';

const tableFiles = 3;
let folder = '';
let paths: string[] = [];

/** A finished, sealed run with a table file for each page. */
beforeEach(async () => {
  folder = join(newFolder(), 'r');
  paths = [];
  await createRunFolder(folder, async () => manifest);
  const ledger = openLedger(ledgerPath(folder));
  const epoch = await ledger.takeOver('test');
  for (let number = 0; number < tableFiles; number += 1) {
    const page = `loops/m/r1p${number}`;
    await ledger.addPages([{ page, study: 'loops', model: 'org/m', cells: 1, revision: 1 }]);
    const stem = pagePartStem('loops', 'loops', 'org/m', `r1p${number}`);
    const description = { table: 'loops', page, schemaVersion: 1, revision: 1 } as const;
    const part = stagePart(folder, stem, description, 1, encodeTable(tables.loops, [row(number)]));
    await part.durable;
    await ledger.sealPage(await ledger.openUnit(`${page}/step`, epoch), page, [part.record]);
    part.publish();
    paths.push(part.record.path);
  }
  await publishManifest(folderHome(folder), ledger);
  await ledger.close();
  await setRunState(folderHome(folder), 'complete', null);
  await sealLedger(folder);
});

const row = (task: number) => ({
  ...{ run: 'r', study: 'loops', model: 'org/m', benchmark: 'mbpp', task_id: `MBPP/${task}`, language: 'python' },
  ...{ variant: 'original', setting: 'default', repetition: 0, sustained_loops: 0, ended_by: 'code_failed' },
  ...{ ended_outcome: 'exception', similarity: null, similarity_reason: 'no summary', simulated: true },
});

const remedy = 'restore ledger.sqlite and its -wal from a backup, or start another run';
const harms: readonly (readonly [string, (path: string) => void, RegExp])[] = [
  ['overwritten', (path) => writeFileSync(path, 'no database, though long enough'.repeat(99)), /is not a database/],
  ['missing', (path) => rmSync(path), /cannot be read: this file is missing/],
  ['empty', (path) => writeFileSync(path, ''), /no such table/],
  ['cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, 9000)), /malformed|size of the file/],
];

// Red before: a problem for each table file, "has SHA-256 ... in the manifest, nothing in the ledger".
test.each(harms)('a ledger that is %s is one problem, with what to do', async (_how, harm, text) => {
  expect((await verifyRun(folder)).problems).toEqual([]);
  harm(ledgerPath(folder));
  const { ok, problems, notes } = await verifyRun(folder);
  expect(ok).toBe(false);
  expect(problems).toEqual([expect.stringMatching(text)]);
  expect(problems[0]).toContain(ledgerPath(folder));
  expect(problems[0]).toContain(`; ${remedy}`);
  expect(notes.slice(0, 1)).toEqual([
    `the ${tableFiles} table files of the manifest are intact: query, report and compare read nothing else`,
  ]);
});

/** Flips a bit of the last byte of an index's root page: its first entry ends there. */
function harmIndex(path: string, index: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const number = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const root = number(`select rootpage from sqlite_master where name = '${index}'`);
  const end = root * number('pragma page_size') - 1;
  database.close();
  const bytes = readFileSync(path);
  bytes[end] = (bytes[end] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

// Red before: no line named the file.
test('a ledger of which an index alone is damaged does not match its seal either', async () => {
  harmIndex(ledgerPath(folder), 'part_of_page');
  const { problems, notes } = await verifyRun(folder);
  expect(problems).toEqual([
    expect.stringMatching(/^ledger.sqlite has SHA-256/),
    expect.stringMatching(/^ledger: .* index part_of_page$/),
  ]);
  expect(notes.slice(0, 1)).toEqual([
    `the ${tableFiles} table files of the manifest are intact: query, report and compare read nothing else`,
  ]);
});

test('table files that are damaged, too, are named, and the others counted', async () => {
  writeFileSync(ledgerPath(folder), 'no database, though long enough'.repeat(99));
  rmSync(join(folder, paths[1] ?? ''));
  const { problems, notes } = await verifyRun(folder);
  expect(problems).toHaveLength(2);
  expect(problems).toContain(`${paths[1]} is missing`);
  expect(notes.slice(0, 1)).toEqual([
    '2 of 3 table files of the manifest are intact; those that are not are named above',
  ]);
});
