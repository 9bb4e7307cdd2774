/** A ledger whose path is longer than SQLite takes. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createRunFolder } from '../../../../activities/storage/run-folder.ts';
import { openDatabase } from '../../../../activities/storage/ledger/sqlite/ledger-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { manifest } from '../manifest-fixture.ts';

/** A new folder in which `ledger.sqlite` has a path of `bytes` bytes. */
function folderFor(bytes: number): string {
  let folder = temporaryFolder();
  const wanted = bytes - '/ledger.sqlite'.length;
  while (wanted - folder.length > 200) folder += `/${'a'.repeat(150)}`;
  folder += `/${'b'.repeat(wanted - folder.length - 1)}`;
  mkdirSync(folder, { recursive: true });
  return folder;
}

const tooLong = (bytes: number): RegExp =>
  new RegExp(
    `^/.*/ledger\\.sqlite  the path has ${bytes} bytes, and SQLite opens files with at most 504: ` +
      'choose a runs directory with a shorter path',
  );

// Red before: "cannot be written …: if its disk is full, free some space there". By SQLite's os_unix.c
// (MAX_PATHNAME) a path has at most 512 bytes, "-journal" included.
test('is refused with its length and the limit; one byte less opens', () => {
  openDatabase(join(folderFor(504), 'ledger.sqlite')).close();
  expect(() => openDatabase(join(folderFor(505), 'ledger.sqlite'))).toThrow(tooLong(505));
});

test('counts bytes behind a link too', () => {
  const link = join(temporaryFolder(), 'link');
  symlinkSync(folderFor(520), link);
  expect(() => openDatabase(join(link, 'ledger.sqlite'))).toThrow(tooLong(520));
});

test('leaves no folder of a run that could not be made', async () => {
  const folder = join(folderFor(510), 'r');
  await expect(createRunFolder(folder, async () => manifest)).rejects.toThrow(/at most 504/);
  expect(readdirSync(dirname(folder))).toEqual([]);
});
