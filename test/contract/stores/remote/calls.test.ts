/** Calls of a run on PostgreSQL: never two live ones, never over the budget, nothing lost with an answer. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresLedger } from '../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres, type Postgres } from '../../../../activities/storage/postgres/postgres.ts';
import { FencedError } from '../../../../activities/storage/ledger/fence.ts';
import { call, charge, go, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import { commitProxy } from './commit-proxy.ts';
import { newPostgresStore, onPostgres } from './on-postgres.ts';

const unit = `${page}/generate`;

const open = (store: string): Postgres => {
  const database = openPostgres(store);
  onTestFinished(() => database.close());
  return database;
};

async function started(store?: string) {
  const database = open(store ?? (await newPostgresStore('ek_worker')));
  await database.query("insert into run (id, place, manifest) values ('r', 'runs/r', '') on conflict do nothing");
  const calls = await openPostgresLedger(database, 'r');
  await calls.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 1 }]);
  return { database, calls, fence: await calls.openUnit(unit, await calls.takeOver('test')) };
}

async function totals(database: Postgres) {
  const [row] = await database.query<Readonly<Record<string, string>>>('select * from run_total');
  return Object.fromEntries(Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)]));
}

onPostgres('calls on PostgreSQL', () => {
  test('a call is reserved once, committed, and answered from then on', async () => {
    const { calls, fence, database } = await started();
    const intent = await go(calls, fence, call(0));
    expect(await calls.reserve(fence, call(0))).toEqual({ kind: 'busy' });
    const [stored] = await calls.commit(intent, [reply('a\ud800')], charge(0.01), 12.5);
    expect(stored).toEqual({ callKey: keyOf(0), reply: reply('a\ud800'), origin: null });
    expect(await calls.reserve(fence, call(0))).toEqual({ kind: 'answered', replies: [stored] });
    expect(await calls.reserve(fence, call(1, { callKeys: [keyOf(0)] }))).toMatchObject({ kind: 'answered' });
    expect([await calls.reply(keyOf(0)), await calls.reply(keyOf(7))]).toEqual([stored, undefined]);
    expect(await totals(database)).toMatchObject({
      ...{ answered: 1, live: 0, reserved_nano_usd: 0, reserved_tokens: 0 },
      ...{ reported_nano_usd: 10_000_000, spent_tokens: 42 },
    });
  });

  test('of several answers of one request each sample has its own', async () => {
    const { calls, fence } = await started();
    const keys = ['b', 'a', 'c'].map(keyOf);
    const intent = await go(calls, fence, call(0, { callKeys: keys }));
    expect(await calls.reserve(fence, call(1, { callKeys: [keyOf('a')] }))).toEqual({ kind: 'busy' });
    const stored = await calls.commit(intent, [reply('1'), reply('2')], charge(0.01), 1);
    expect(stored.map((one) => one?.reply.text)).toEqual(['1', '2', undefined]);
    expect((await calls.reply(keyOf('a')))?.reply.text).toBe('2');
    const again = await calls.reserve(fence, call(0, { callKeys: keys }));
    expect(again).toEqual({ kind: 'answered', replies: stored });
  });

  // Red without `on conflict do nothing` on live_call, and without the check of its row count.
  test('of many at once that want the same calls, one has each', async () => {
    const { calls, fence, database } = await started();
    const others = await Promise.all([1, 2].map(() => openPostgresLedger(database, 'r')));
    const all = [calls, ...others].flatMap((one) =>
      Array.from({ length: 100 }, (_, cell) => one.reserve(fence, call(cell))),
    );
    const kinds = (await Promise.all(all)).map(({ kind }) => kind);
    expect([kinds.filter((kind) => kind === 'go').length, kinds.filter((kind) => kind === 'busy').length]).toEqual([
      100, 200,
    ]);
    expect((await totals(database))['live']).toBe(100);
  });

  // Red without the epoch, or without the attempt, in the fence of `reserve_calls`.
  test('an older attempt or epoch may not reserve, even if the reply exists', async () => {
    const { calls, fence: old } = await started();
    const fence = await calls.openUnit(unit, old.epoch);
    expect(await calls.reserve(old, call(0))).toEqual({ kind: 'stop', reason: 'fenced' });
    await calls.commit(await go(calls, fence, call(0)), [reply('a')], charge(0.01), 1);
    await expect(calls.openUnit(unit, fence.epoch, fence.attempt)).rejects.toThrow(FencedError);
    await calls.takeOver('second owner');
    expect(await calls.reserve(fence, call(0))).toEqual({ kind: 'stop', reason: 'fenced' });
    await expect(calls.openUnit(unit, fence.epoch)).rejects.toThrow(FencedError);
  });

  test('a lost call costs its estimate until a late reply brings the real cost', async () => {
    const { calls, fence, database } = await started();
    const intent = await go(calls, fence, call(0));
    await go(calls, fence, call(1, { maxUsd: null, estimatedUsd: null, estimatedTokens: 7 }));
    await go(calls, fence, call(2, { free: true, maxUsd: 0, estimatedUsd: 0 }));
    const next = await calls.openUnit(unit, fence.epoch);
    expect(await totals(database)).toMatchObject({
      ...{ lost: 3, live: 0, reserved_nano_usd: 0, estimated_nano_usd: 20_000_000, unknown_usd_calls: 1 },
      ...{ spent_tokens: 207 },
    });
    const quick = await go(calls, next, call(0));
    await calls.commit(quick, [reply('first')], charge(0.01), 1);
    const [late] = await calls.commit(intent, [reply('second')], charge(0.013), 9);
    expect(late?.reply.text).toBe('first');
    expect(await totals(database)).toMatchObject({
      ...{ lost: 2, answered: 2, estimated_nano_usd: 0, reported_nano_usd: 23_000_000, spent_tokens: 91 },
    });
  });

  test('a second end of an intent changes nothing or is refused; a release leaves no trace', async () => {
    const { calls, fence, database } = await started();
    const answered = await go(calls, fence, call(0));
    await calls.commit(answered, [reply('a')], charge(0.01), 1);
    expect((await calls.commit(answered, [reply('b')], charge(0.01), 1))[0]?.reply.text).toBe('a');
    const failed = await go(calls, fence, call(1));
    await calls.fail(failed, 'HTTP 500: oops', charge(0, 0), 3);
    await calls.fail(failed, 'HTTP 500: oops', charge(0, 0), 3);
    await expect(calls.commit(failed, [reply('b')], charge(0.01), 1)).rejects.toThrow('was closed as failed');
    await expect(calls.fail(answered, 'HTTP 500', charge(0, 0), 1)).rejects.toThrow('was answered');
    await expect(calls.commit(99_999, [reply('b')], charge(0.01), 1)).rejects.toThrow(
      'call 99999 is not reserved in this',
    );
    await calls.release(await go(calls, fence, call(1)), 'no connection');
    expect(await totals(database)).toMatchObject({ answered: 1, failed: 1, live: 0, reserved_nano_usd: 0 });
    expect((await calls.reserve(fence, call(1))).kind).toBe('go');
  });

  test('a budget holds what open calls may cost, and stops only what would never fit', async () => {
    const { calls, fence } = await started();
    await calls.setBudget({ usd: 0.1, tokens: null });
    const intent = await go(calls, fence, call(0, { maxUsd: 0.06 }));
    expect(await calls.reserve(fence, call(1, { maxUsd: 0.05 }))).toEqual({ kind: 'busy' });
    expect(await calls.reserve(fence, call(1, { maxUsd: null }))).toEqual({ kind: 'stop', reason: 'budget' });
    await calls.commit(intent, [reply('a')], charge(0.05), 1);
    expect((await calls.reserve(fence, call(1, { maxUsd: 0.05 }))).kind).toBe('go');
    expect(await calls.reserve(fence, call(2, { maxUsd: 0.06 }))).toEqual({ kind: 'stop', reason: 'budget' });
    expect((await calls.reserve(fence, call(3, { maxUsd: 0, free: true }))).kind).toBe('go');
  });

  // Red without `for update` on the row of totals: then all groups count from what they read before the wait.
  test('a budget holds over processes that reserve at once', async () => {
    const { calls, database } = await started();
    await calls.setBudget({ usd: 1, tokens: null });
    const all = [calls, ...(await Promise.all([1, 2, 3].map(() => openPostgresLedger(database, 'r'))))];
    const fence = await calls.openUnit(unit, 1);
    const held = Promise.withResolvers<void>();
    const holder = database.transaction(async (query) => {
      await query('select from run_total for update');
      held.resolve();
      await pause(700);
    });
    await held.promise;
    const kinds = await Promise.all(
      all.flatMap((one, place) =>
        Array.from({ length: 50 }, (_, cell) => one.reserve(fence, call(place * 50 + cell, { maxUsd: 0.05 }))),
      ),
    );
    await holder;
    expect(kinds.filter(({ kind }) => kind === 'go')).toHaveLength(20);
  });

  test('stops block calls, not stored replies, and the newest row counts', async () => {
    const { calls, fence } = await started();
    await calls.commit(await go(calls, fence, call(0)), [reply('a')], charge(0.01), 1);
    await calls.setStop('m', 'model_stopped', '401 from the endpoint');
    await calls.setStop(null, 'paused', 'by hand');
    expect((await calls.reserve(fence, call(0))).kind).toBe('answered');
    expect(await calls.reserve(fence, call(1))).toEqual({ kind: 'stop', reason: 'paused' });
    await calls.setStop(null, null, 'resumed');
    expect(await calls.reserve(fence, call(1))).toEqual({ kind: 'stop', reason: 'model_stopped' });
    expect((await calls.reserve(fence, call(1, { model: 'other' }))).kind).toBe('go');
  });

  test('one bad request of a group fails alone', async () => {
    const { calls, fence } = await started();
    await calls.commit(await go(calls, fence, call(0)), [reply('a')], charge(0.01), 1);
    const [changed, unknown, good] = await Promise.allSettled([
      calls.reserve(fence, call(0, { callKeys: [keyOf('changed prompt')] })),
      calls.reserve(fence, call(2, { key: { ...call(2).key, page: 'none' } })),
      calls.reserve(fence, call(1)),
    ]);
    expect(changed).toMatchObject({ reason: { message: expect.stringMatching(/cell 0 generate.*another call key/) } });
    expect(unknown).toMatchObject({ reason: { message: expect.stringContaining('page none is not in the ledger') } });
    expect(good).toMatchObject({ value: { kind: 'go' } });
  });

  // Red without the client's UUID in the intent: then the second try finds its own intent, and takes it for another's.
  test('a group whose answer is lost finds its own', async () => {
    const store = await newPostgresStore();
    const { database } = await started(store);
    const proxy = await commitProxy(store);
    const calls = await openPostgresLedger(open(proxy.address), 'r');
    const fence = await calls.openUnit(unit, 1);
    proxy.loseStatement('reserve_calls');
    const intents = await Promise.all(Array.from({ length: 20 }, (_, cell) => go(calls, fence, call(cell))));
    expect([proxy.lost(), new Set(intents).size, (await totals(database))['live']]).toEqual([1, 20, 20]);
    proxy.loseStatement('accept_replies');
    const stored = await Promise.all(intents.map((intent) => calls.commit(intent, [reply('a')], charge(0.01), 1)));
    expect([proxy.lost(), stored.flat().filter((one) => one !== null).length]).toEqual([2, 20]);
    expect(await totals(database)).toMatchObject({ answered: 20, live: 0, reported_nano_usd: 200_000_000 });
  });
});
