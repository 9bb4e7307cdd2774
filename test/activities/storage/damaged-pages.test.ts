import { openSync, closeSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../activities/storage/ledger/sqlite/ledger-database.ts';
import { newFolder } from './ledger/ledger-fixture.ts';

test('a damaged page that a read meets outside a transaction names the ledger', () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const made = openDatabase(path);
  made.immediate(() => {
    for (let index = 0; index < 2000; index += 1)
      made.sql('insert into fact (name, json) values (?, ?)').run(`name ${index}`, 'x'.repeat(200));
  });
  made.close();
  const file = openSync(path, 'r+');
  const half = Math.floor(statSync(path).size / 8192) * 4096;
  writeSync(file, Buffer.alloc(statSync(path).size - half, 0xa5), 0, undefined, half);
  closeSync(file);
  const database = openDatabase(path);
  const read = (): unknown => database.sql('select count(*), sum(length(json)) from fact').all();
  expect(read).toThrow(/ledger\.sqlite: database disk image is malformed; restore the run folder from a copy/);
  database.close();
});
