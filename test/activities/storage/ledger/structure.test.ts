/** Damaged pages of a ledger's file, found before a run goes on with it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { folderHome } from '../../../../activities/storage/home/folder-home.ts';
import { refuseMalformed } from '../../../../activities/storage/ledger/sqlite/ledger-structure.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { newFolder, newLedger } from './ledger-fixture.ts';

const pageBytes = 4096;

/** A ledger at rest whose facts fill some hundred pages; the number of the page that leads to them. */
async function largeLedger(path: string): Promise<number> {
  const ledger = await newLedger(path);
  for (let index = 0; index < 500; index += 1) await ledger.saveFact(`name ${index}`, JSON.stringify('x'.repeat(900)));
  await ledger.close();
  const database = new DatabaseSync(path, { readOnly: true });
  const root = Number(database.prepare("select rootpage as n from sqlite_master where name = 'fact'").get()?.['n']);
  database.close();
  return root;
}

const filesIn = (folder: string): string[][] =>
  readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'hex')]);

// Red without `pragma quick_check`: the ledger opens, and a run goes on until it meets the page.
test('a page that leads nowhere is refused, with the place and the remedy, and no file is changed', async () => {
  const folder = newFolder();
  const path = join(folder, 'ledger.sqlite');
  const root = await largeLedger(path);
  const sizes: number[] = [];
  await folderHome(folder).refuseMalformed((bytes) => sizes.push(bytes));
  const bytes = readFileSync(path);
  expect(sizes).toEqual([bytes.length]);
  // The right-most child of an inner page, in bytes 8 to 11: a page far beyond the end.
  bytes.writeUInt8((bytes[(root - 1) * pageBytes + 8] ?? 0) ^ 0x40, (root - 1) * pageBytes + 8);
  writeFileSync(path, bytes);
  const before = filesIn(folder);
  expect(() => refuseMalformed(path)).toThrow(
    new RegExp(
      `^${path}: database disk image is malformed \\(Tree \\d+ page ${root}.*: invalid page number.*\\); ` +
        'restore the run folder from a copy',
    ),
  );
  expect(filesIn(folder)).toEqual(before);
  await openLedger(path).close();
});

test('a ledger of an older format, and one that a process has open, pass', async () => {
  const folder = newFolder();
  const path = join(folder, 'ledger.sqlite');
  const old = new DatabaseSync(path);
  old.exec(readFileSync(join(import.meta.dirname, 'ledger-format-2.sql'), 'utf8'));
  old.exec('pragma journal_mode = wal');
  old.close();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  const before = filesIn(folder);
  refuseMalformed(path);
  expect(filesIn(folder)).toEqual(before);
  const other = join(newFolder(), 'ledger.sqlite');
  const open = await newLedger(other);
  refuseMalformed(other);
  await open.close();
});
