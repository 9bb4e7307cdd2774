/** A ledger that one process opens more than once, while other processes open and close it. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileSha256 } from '../../../../activities/storage/files/file-sha256.ts';
import { openDatabase } from '../../../../activities/storage/ledger/sqlite/ledger-database.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** Whether this process has the lock by which other programs see that the database is in use. */
const isInUse = (path: string): boolean =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .some((line) => line.includes(` ${process.pid} `) && line.includes(`:${statSync(path).ino} `));

function newRun(): string {
  const folder = temporaryFolder();
  const path = join(folder, 'ledger.sqlite');
  openDatabase(path).close();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  return path;
}

test.each([
  ['opened again', (path: string) => openDatabase(path).close()],
  ['hashed', (path: string) => void fileSha256(path)],
])('a ledger that is %s stays in use, so that no other program removes its log', (_what, act) => {
  const path = newRun();
  const first = openDatabase(path);
  first.immediate(() => first.sql('select 1').all());
  act(path);
  // Red before: `sqlite3` then removed the log, with all answers in it.
  expect(isInUse(path)).toBe(true);
  first.close();
  expect(isInUse(path)).toBe(false);
});

test('a ledger whose -shm is gone takes no write from a process that has it open, nor from its later opens', () => {
  const path = newRun();
  const first = openDatabase(path);
  first.immediate(() => first.sql('select 1').all());
  rmSync(`${path}-shm`);
  expect(() => first.immediate(() => 1)).toThrow(/ledger\.sqlite-shm was removed or replaced/);
  const second = openDatabase(path);
  expect(() => second.immediate(() => 1)).toThrow(/-shm was removed or replaced/);
  second.close();
  first.close();
  const third = openDatabase(path);
  expect(third.immediate(() => 1)).toBe(1);
  third.close();
});
