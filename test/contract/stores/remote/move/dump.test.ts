import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Dump, DumpedRows } from '../../../../../activities/storage/ledger/dump.ts';
import { readDump as readSqlite } from '../../../../../activities/storage/ledger/sqlite/dump/read-dump.ts';
import { writeDump as writeSqlite } from '../../../../../activities/storage/ledger/sqlite/dump/write-dump.ts';
import { readDump as readPostgres } from '../../../../../activities/storage/postgres/ledger/dump/read-dump.ts';
import { writeDump as writePostgres } from '../../../../../activities/storage/postgres/ledger/dump/write-dump.ts';
import { numberOf, openPostgresLedger } from '../../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../../../../activities/storage/postgres/postgres.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { newPostgresStore, onPostgres } from '../on-postgres.ts';
import { withoutNumbers } from './without-numbers.ts';
import { writtenDump } from './written-dump.ts';

async function* dumpOf(rows: readonly DumpedRows[]): Dump {
  yield* rows;
}

test('a copy written to SQLite is read back as it was', async () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  await writeSqlite(path, dumpOf(writtenDump));
  expect(await withoutNumbers(readSqlite(path))).toEqual(await withoutNumbers(writtenDump));
});

onPostgres('on PostgreSQL', () => {
  // Two runs, so that a run's rows are found although numbers begin elsewhere.
  test('a copy written twice is read back as it was, and from there to SQLite', async () => {
    const database = openPostgres(await newPostgresStore('ek_worker'));
    onTestFinished(() => database.close());
    await database.query("insert into run (id, place, manifest) values ('one', 'p1', ''), ('two', 'p2', '')");
    const path = join(temporaryFolder(), 'ledger.sqlite');
    for (const id of ['one', 'two']) {
      await (await openPostgresLedger(database, id)).close();
      await writePostgres(database, await numberOf(database, id), dumpOf(writtenDump));
    }
    const there = (): Dump => rows();
    async function* rows(): Dump {
      yield* readPostgres(database, await numberOf(database, 'two'));
    }
    const wanted = await withoutNumbers(writtenDump);
    expect(await withoutNumbers(there())).toEqual(wanted);
    await writeSqlite(path, there());
    expect(await withoutNumbers(readSqlite(path))).toEqual(wanted);
  });
});
