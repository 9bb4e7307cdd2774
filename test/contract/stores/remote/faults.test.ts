/** What a store on PostgreSQL promises when answers, sessions or the server are lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPostgres, type Postgres } from '../../../../activities/storage/postgres/postgres.ts';
import { postgresAccounts } from '../../../../activities/storage/postgres/postgres-accounts.ts';
import { prepareStore } from '../../../../activities/storage/postgres/prepare.ts';
import { postgresPrograms, type PostgresServer, startPostgres } from '../../../../scripts/cluster/postgres-server.ts';
import { here } from '../account-fixture.ts';
import { commitProxy, type Loss } from './commit-proxy.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

const open = (store: string): Postgres => {
  const database = openPostgres(store);
  onTestFinished(() => database.close());
  return database;
};

onPostgres('lost answers of PostgreSQL', () => {
  // Red in `answer` and `late` without the number of the change in `commit_slot`: then the change is made twice.
  test.each<Loss>([{ how: 'answer' }, { how: 'commit' }, { how: 'late', afterMs: 400 }])(
    'a change whose commit is lost ($how) is stored once',
    async (loss) => {
      const store = await newPostgresStore();
      const proxy = await commitProxy(store);
      const accounts = postgresAccounts(open(proxy.address));
      const results: number[] = [];
      for (let change = 0; change < 4; change += 1) {
        if (change === 2) proxy.lose(loss);
        results.push(await accounts.change(here, (state) => (state.proven += 1)));
      }
      expect(proxy.lost()).toBe(1);
      expect(results).toEqual([1, 2, 3, 4]);
      expect((await accounts.states()).map(({ proven }) => proven)).toEqual([4]);
    },
  );

  test('a change that gives up says whether it may be stored', async () => {
    const store = await newPostgresStore();
    const proxy = await commitProxy(store);
    const database = openPostgres(proxy.address, { usual: 300, unconfirmed: 600 });
    onTestFinished(() => database.close());
    await database.query('select 1');
    const change = database.transaction(async (query) => {
      await query("insert into account values ('a', '')");
      proxy.lose({ how: 'answer' });
      proxy.refuseNew();
    });
    await expect(change).rejects.toThrow(/its answer was lost, so it is unknown whether it is stored/);
    await expect(database.query('select 1')).rejects.toThrow(/could not be used for \d+ s: [^;]*; check that/);
    expect(await open(store).query('select identity from account')).toEqual([{ identity: 'a' }]);
  });

  test('of many changes at once, each whose answer is lost is stored once', async () => {
    const store = await newPostgresStore();
    const proxy = await commitProxy(store);
    const accounts = postgresAccounts(open(proxy.address));
    proxy.lose(...Array.from({ length: 6 }, (_, at): Loss => ({ how: at % 2 === 0 ? 'answer' : 'commit' })));
    const results = await Promise.all(
      Array.from({ length: 30 }, () => accounts.change(here, (state) => (state.proven += 1))),
    );
    expect(proxy.lost()).toBe(6);
    expect(new Set(results)).toEqual(new Set(Array.from({ length: 30 }, (_, at) => at + 1)));
  });

  test('transactions that lock each other out are run again', async () => {
    const database = open(await newPostgresStore());
    await database.query("insert into account values ('a', '0'), ('b', '0')");
    const addBoth = (first: string, second: string): Promise<void> =>
      database.transaction(async (query) => {
        await query("update account set state = state || '+' where identity = $1", [first]);
        await pause(100);
        await query("update account set state = state || '+' where identity = $1", [second]);
      });
    await Promise.all([addBoth('a', 'b'), addBoth('b', 'a')]);
    expect(await database.query('select state from account')).toEqual([{ state: '0++' }, { state: '0++' }]);
  });
});

onPostgres('a restart of PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(postgresPrograms());
    await prepareStore(server.address);
  });
  afterAll(() => server.stop());

  test.each(['fast', 'immediate'] as const)('loses and repeats no change (%s)', async (how) => {
    const accounts = postgresAccounts(open(server.address));
    const account = { endpoint: how, keyVariable: null };
    const results: number[] = [];
    const changes = async (): Promise<void> => {
      for (let change = 0; change < 100; change += 1)
        results.push(await accounts.change(account, (state) => (state.proven += 1)));
    };
    const all = Promise.all([changes(), changes(), changes(), changes()]);
    while (results.length < 40) await pause(5);
    await server.restart(how);
    expect(results.length).toBeLessThan(400);
    await all;
    expect(results.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
  });
});
