/** The tables of a store on PostgreSQL: their versions, and who may change them. */
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../../../activities/storage/postgres/postgres.ts';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';
import { newPostgresStore, onPostgres, storeIn } from './on-postgres.ts';

const newSchema = (): string => `p_${randomUUID().replaceAll('-', '_')}`;

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
    const latest = all[0]?.to ?? 0;
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
