/** The tables of a store on PostgreSQL: their versions, and who may change them. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { migrations } from '../../../../activities/storage/postgres/migrations/versions.ts';
import { openPostgresLedger } from '../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';
import { openSessions } from '../../../../activities/storage/postgres/sessions.ts';
import { call, charge, go, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import { newPostgresStore, onPostgres, storeIn } from './on-postgres.ts';

const newSchema = (): string => `p_${randomUUID().replaceAll('-', '_')}`;

/** As the program of version 3 left it: versions 1 and 2 are unchanged. */
async function storeOfVersion3(): Promise<string> {
  const schema = newSchema();
  const store = storeIn(schema);
  const client = await session(store);
  await client.query(`create schema ${schema}`);
  await client.query('create table migration (version int primary key, applied_at timestamptz default now())');
  const third = readFileSync(new URL('version-3.sql', import.meta.url), 'utf8');
  for (const [index, sql] of [migrations[0], migrations[1], third].entries()) {
    await client.query(sql ?? '');
    await client.query('insert into migration (version) values ($1)', [index + 1]);
  }
  return store;
}

/** Without a look at the version of the tables. */
async function session(store: string) {
  const sessions = openSessions(store);
  const client = await sessions.alone();
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const latest = migrations.length;

const open = (store: string) => {
  const database = openPostgres(store);
  onTestFinished(() => database.close());
  return database;
};

onPostgres('preparing a store on PostgreSQL', () => {
  test('a store without tables is refused with what to do', async () => {
    const database = open(storeIn(newSchema()));
    await expect(database.query('select 1')).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(/version 0, and this program needs \d+; run `evenkeel store prepare`/),
    });
  });

  // Red before: all but one ended with `role "..." already exists`.
  test('several stores that are prepared at once may have one role', async () => {
    const role = newSchema();
    const stores = Array.from({ length: 8 }, () => storeIn(newSchema()));
    for (const store of stores) await prepareStore(store);
    const ends = await Promise.all(stores.map((store) => prepareStore(store, { role })));
    expect(new Set(ends.map(({ from }) => from))).toEqual(new Set([latest]));
  });

  test('a role that may not create tables is told so', async () => {
    const workers = await newPostgresStore('ek_worker');
    await expect(prepareStore(workers.replace(/schema=.*/, `schema=${newSchema()}`))).rejects.toMatchObject({
      name: 'MissingPartError',
      message: expect.stringMatching(/could not be prepared: permission denied .*may log in and create a schema/),
    });
  });

  // Red without the advisory lock: then the slower ones fail on tables that exist.
  test('of several that prepare a store at once, one makes the tables, and again changes nothing', async () => {
    const store = storeIn(newSchema());
    const all = await Promise.all([1, 2, 3].map(() => prepareStore(store)));
    expect(all.map(({ from }) => from).toSorted((one, other) => one - other)).toEqual([0, latest, latest]);
    expect(await prepareStore(store)).toEqual({ from: latest, to: latest });
  });

  test('a store of a newer program is neither used nor prepared', async () => {
    const store = await newPostgresStore();
    const owner = open(store);
    await owner.query('insert into migration (version) values (999)');
    await expect(open(store).query('select 1')).rejects.toThrow('version 999, and this program knows only');
    await expect(prepareStore(store)).rejects.toThrow('version 999');
  });

  test('a store of version 3 is updated, unless it has calls, and its runs stay', async () => {
    const store = await storeOfVersion3();
    const owner = await session(store);
    await owner.query("insert into run (id, place, manifest) values ('r', 'runs/r', '')");
    expect(await prepareStore(store)).toEqual({ from: 3, to: latest });
    const ledger = await openPostgresLedger(open(store), 'r');
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 10, revision: 1 }]);
    const fence = await ledger.openUnit('step', await ledger.takeOver('test'));
    await ledger.commit(await go(ledger, fence, call(0)), [reply('a')], charge(0.01), 1);
    expect((await ledger.samples(page)).map((sample) => sample.reply.text)).toEqual(['a']);

    const used = await storeOfVersion3();
    await (await session(used)).query(
      `insert into intent (id, run, uuid, page, cell, step, loop, ask, sample, unit, epoch, attempt, answering_model,
         parameters_sent, max_nano_usd, max_tokens, estimated_tokens, free)
       values (1, 1, gen_random_uuid(), 1, 0, 's', 0, 0, 0, 'u', 1, 1, 'm', '', 0, 0, 0, true)`,
    );
    await expect(prepareStore(used)).rejects.toThrow('has calls of version 3');
  });

  // Every contract of a store is called with this role.
  test('a granted role can neither create nor drop, nor say that it migrated', async () => {
    const store = await newPostgresStore('ek_worker');
    const database = open(store);
    expect(await database.query('select current_user::text as name')).toEqual([{ name: 'ek_worker' }]);
    for (const sql of [
      'create table mine (id int)',
      'create schema mine',
      'drop table account',
      'truncate account',
      'alter table account add column mine int',
      'create function mine() returns int language sql as $$ select 1 $$',
      'insert into migration (version) values (77)',
      'create role mine',
    ])
      await expect(database.query(sql), sql).rejects.toThrow(/permission denied|must be owner/);
  });
});
