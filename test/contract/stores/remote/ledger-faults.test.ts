/** A ledger on PostgreSQL whose answers are lost, that meets others at a bad moment, or has others next to it. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { openPostgresLedger } from '../../../../activities/storage/postgres/ledger/open-ledger.ts';
import { openPostgres, type Postgres } from '../../../../activities/storage/postgres/postgres.ts';
import { call, charge, go, keyOf, page, reply, verdict } from '../../../activities/storage/ledger/ledger-calls.ts';
import { addAllPages, fillSums } from '../ledger/sums-contract.ts';
import { openLedgerAt } from '../ledger-address.ts';
import { type CommitProxy, commitProxy } from './commit-proxy.ts';
import { onPostgres } from './on-postgres.ts';
import { newRunAddress } from './run-address.ts';

const unit = `${page}/generate`;

async function opened(address: string): Promise<Ledger> {
  const ledger = await openLedgerAt(address);
  onTestFinished(() => ledger.close());
  return ledger;
}

/** A ledger whose sessions go through the proxy. */
async function behindProxy(): Promise<{ ledger: Ledger; proxy: CommitProxy; address: string }> {
  const address = await newRunAddress();
  const [store = '', run = ''] = address.split('#');
  const proxy = await commitProxy(store);
  const ledger = await opened(`${proxy.address}#${run}`);
  await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 100, revision: 1 }]);
  return { ledger, proxy, address };
}

/** A session of its own with the store, and the number of the address's run. */
async function besides(address: string): Promise<{ database: Postgres; run: number }> {
  const [store = '', id = ''] = address.split('#');
  const database = openPostgres(store);
  onTestFinished(() => database.close());
  const [row] = await database.query<{ readonly number: number }>('select number from run where id = $1', [id]);
  return { database, run: row?.number ?? 0 };
}

/** The answer "late", as `accept_replies` takes it. */
const late = (intent: number): string =>
  JSON.stringify([
    {
      ...{ place: 0, intent, bodies: [Buffer.from('["late"]').toString('base64')], hashes: [keyOf('["late"]')] },
      ...{ usd: 0, nano_usd: 0, basis: 'free', tokens: 0, facts: {}, latency_ms: 1, origin: null },
    },
  ]);

const part = { path: 'loops/a.parquet', table: 'loops', page, rows: 3, bytes: 100, schemaVersion: 1, revision: 1 };

onPostgres('a ledger on PostgreSQL', () => {
  test('that loses the answer to any statement of a step does everything once', async () => {
    const { ledger, proxy } = await behindProxy();
    const losing = async <T>(statement: string, work: () => Promise<T>): Promise<T> => {
      const before = proxy.lost();
      proxy.loseStatement(statement);
      const result = await work();
      expect([statement, proxy.lost()]).toEqual([statement, before + 1]);
      return result;
    };
    const other = { page: 'loops/n/r1p0', study: 'loops', model: 'n', cells: 4, revision: 1 };
    await losing('add_pages', () => ledger.addPages([other]));
    const epoch = await ledger.takeOver('test');
    const fence = await losing('open_unit', () => ledger.openUnit(unit, epoch));
    expect(fence.attempt).toBe(1);
    await losing('fail_calls', async () => ledger.fail(await go(ledger, fence, call(0)), 'no', charge(0.01, 7), 1));
    await losing('release_calls', async () => ledger.release(await go(ledger, fence, call(1)), 'why'));
    await losing('mark_cells_done', () => ledger.markCellsDone(page, 5));
    expect(await losing('save_verdicts', () => ledger.saveVerdict(verdict('first')))).toEqual(verdict('first'));
    expect(await losing('save_facts', () => ledger.saveFact('a', '1'))).toBe('1');
    await losing('failing as', () => ledger.failPage(other.page, 'no sandbox'));
    expect(await ledger.progress()).toMatchObject({
      ...{ pages: { total: 2, failed: 1 }, failedCalls: 1, liveIntents: 0, verdicts: 1 },
      ...{ spend: { reportedUsd: 0.01, tokens: 7 }, failuresByReason: { no: 1 }, unsentByReason: { why: 1 } },
      lanes: [{ cells: 100, cellsDone: 5 }, { cells: 4 }],
    });
    expect(await ledger.openUnit(unit, epoch)).toEqual({ unit, epoch, attempt: 2 });
  });

  // Red without the number of the change in `commit_slot`, as all changes that are transactions.
  test('that loses the answers to commits takes over, stops, seals and makes batches once', async () => {
    const { ledger, proxy } = await behindProxy();
    proxy.lose({ how: 'answer' });
    expect(await ledger.takeOver('test')).toBe(1);
    proxy.lose({ how: 'answer' });
    await ledger.setStop('n', 'paused', 'by hand');
    const fence = await ledger.openUnit(unit, 1);
    await ledger.replaceParts(1, [{ ...part, page: 'run', path: 'loops/old.parquet', sha256: keyOf('old') }]);
    proxy.lose({ how: 'answer' });
    expect(await ledger.replaceParts(1, [{ ...part, page: 'run', sha256: keyOf('a') }])).toEqual(['loops/old.parquet']);
    await ledger.reserveInBatch(fence, call(0));
    proxy.lose({ how: 'commit' }, { how: 'answer' });
    const batch = await ledger.makeBatch(fence, 'm', '77777777-7777-4777-8777-777777777777', 10);
    proxy.lose({ how: 'late', afterMs: 300 });
    await ledger.sealPage(fence, page, []);
    expect([proxy.lost(), await ledger.openBatches()]).toEqual([6, [batch]]);
    expect((await ledger.progress()).pages).toMatchObject({ total: 1, sealed: 1 });
  });

  // Red without the look for a reply after the live call: it was committed while its row was waited for.
  test('does not ask a call whose answer is committed while another reservation waits for it', async () => {
    const address = await newRunAddress();
    const ledger = await opened(address);
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 100, revision: 1 }]);
    const fence = await ledger.openUnit(unit, await ledger.takeOver('test'));
    const intent = await go(ledger, fence, call(0));
    const { database, run } = await besides(address);
    const both = await database.transaction(async (query) => {
      await query('select accept_replies($1, $2)', [run, late(intent)]);
      const waiting = ledger.reserve(fence, call(0));
      await pause(300);
      return { waiting };
    });
    expect(await both.waiting).toMatchObject({ kind: 'answered', replies: [{ reply: { text: 'late' } }] });
    expect((await ledger.progress()).liveIntents).toBe(0);
  });

  // Red without the lock of the page in `lane_of_page`: then the count lacks the answer, and nobody forgets it.
  test('counts an answer that is committed while its page is sealed', async () => {
    const address = await newRunAddress();
    const ledger = await opened(address);
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 100, revision: 1 }]);
    const fence = await ledger.openUnit(unit, await ledger.takeOver('test'));
    await ledger.commit(await go(ledger, fence, call(1)), [reply('early')], charge(0), 1);
    const intent = await go(ledger, fence, call(0));
    const { database, run } = await besides(address);
    const { sealing } = await database.transaction(async (query) => {
      await query('select accept_replies($1, $2)', [run, late(intent)]);
      const started = { sealing: ledger.sealPage(fence, page, []) };
      await pause(300);
      return started;
    });
    await sealing;
    expect(await ledger.answeredSteps()).toMatchObject([{ answers: 2, samples: 2 }]);
  });

  test("says that it lost the manifest's lock with its session", async () => {
    const { ledger, proxy } = await behindProxy();
    const work = ledger.withManifestLock(async () => {
      proxy.cut();
      await pause(200);
      proxy.restore();
    });
    await expect(work).rejects.toThrow(/ended the session that held the manifest's lock/);
    expect(await ledger.withManifestLock(() => Promise.resolve('again'))).toBe('again');
  });

  test('never meets another run of its database', async () => {
    const [full, empty] = [await opened(await newRunAddress()), await opened(await newRunAddress())];
    for (const ledger of [full, empty]) await addAllPages(ledger);
    const nothing = await empty.progress();
    await fillSums(full);
    const fence = await full.openUnit('batches', await full.currentEpoch());
    await go(full, fence, call(60, { key: { ...call(60).key, page: 'loops/m-1/r1p0' } }));
    await full.reserveInBatch(fence, call(50, { key: { ...call(50).key, page: 'loops/m-1/r1p0' } }));
    await full.makeBatch(fence, 'm', '88888888-8888-4888-8888-888888888888', 10);
    await full.saveVerdict(verdict('full'));
    await full.saveFact('a', '1');
    await full.setStop(null, 'paused', 'by hand');
    await full.replaceParts(fence.epoch, [{ ...part, page: 'run', sha256: keyOf('a') }]);
    const before = await full.progress();
    const epoch = await empty.takeOver('other');
    expect(await empty.progress()).toEqual(nothing);
    const own = await empty.openUnit(unit, epoch);
    const wanted = call(0, { key: { ...call(0).key, page: 'loops/m-1/r1p0' }, callKeys: [keyOf('loops/m-1/r1p0 0')] });
    expect((await empty.reserve(own, wanted)).kind).toBe('go');
    expect(await empty.saveVerdict(verdict('empty'))).toEqual(verdict('empty'));
    expect([await empty.parts(), await empty.openBatches(), await empty.facts('a')]).toEqual([[], [], []]);
    expect(await full.progress()).toEqual(before);
    const [call0] = (await full.records('loops/m-1/r1p0')).calls;
    await expect(empty.commit(call0?.intent ?? 0, [reply('x')], charge(0), 1)).rejects.toThrow(
      'is not reserved in this ledger',
    );
  });

  test('of an unknown run is refused', async () => {
    const { database } = await besides(await newRunAddress());
    await expect(openPostgresLedger(database, 'none')).rejects.toThrow(/no run "none" in postgres/);
  });

  test('that is closed first ends what was asked', async () => {
    const { ledger, address } = await behindProxy();
    let saved: string | null = null;
    void ledger.saveFact('a', '1').then((fact) => {
      saved = fact;
    });
    await ledger.close();
    expect(saved).toBe('1');
    expect(await (await opened(address)).fact('a')).toBe('1');
  });
});
