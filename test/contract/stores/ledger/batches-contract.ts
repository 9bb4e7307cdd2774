/** What every ledger promises of calls that are asked in batches. */
import { expect, test } from 'vitest';
import { type Fence, FencedError } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { call, charge, go, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

const unit = `${page}/generate`;

/** A call that costs half in a batch. */
const line = (cell: number, more: Parameters<typeof call>[1] = {}) =>
  call(cell, { inBatch: { maxUsd: 0.025, estimatedUsd: 0.01 }, ...more });

export function batchesContract(newLedger: NewLedger): void {
  async function started(): Promise<{ ledger: Ledger; fence: Fence; tender: Fence }> {
    const ledger = await newLedger();
    const epoch = await ledger.takeOver('test');
    return { ledger, fence: await ledger.openUnit(unit, epoch), tender: await ledger.openUnit('run/batches', epoch) };
  }

  async function batched(ledger: Ledger, fence: Fence, ...cells: readonly number[]): Promise<void> {
    for (const cell of cells) expect(await ledger.reserveInBatch(fence, line(cell))).toEqual({ kind: 'batched' });
  }

  test('calls wait for a batch, are lines of it in order, and are answered like others', async () => {
    const { ledger, fence, tender } = await started();
    const before = Date.now();
    await batched(ledger, fence, 0, 1, 2);
    expect(await ledger.batchedOf(unit)).toEqual({ lines: 3, sinceMs: expect.any(Number) });
    expect((await ledger.batchedOf(unit))?.sinceMs).toBeGreaterThanOrEqual(before - 1);
    expect(await ledger.batchedOf('another')).toBeNull();
    expect(await ledger.batchQueues()).toEqual([
      { answeringModel: 'm', lines: 3, oldestMs: expect.any(Number), newestMs: expect.any(Number), pagesAtWork: 0 },
    ]);

    const uuid = '3f2b8c1e-0d7a-4b5e-9c6f-1a2b3c4d5e6f';
    const batch = await ledger.makeBatch(tender, 'm', uuid, 2);
    expect(batch).toEqual({
      ...{ id: batch.id, uuid, answeringModel: 'm', requests: 2, answered: 0, madeAtMs: expect.any(Number) },
      ...{ uploadAsked: false, file: null, createAskedMs: null, endpointId: null, cancelled: false },
      ...{ shortReads: 0, fault: null },
    });
    expect(await ledger.openBatches()).toEqual([batch]);
    const lines = await ledger.batchLines(batch.id, 0, 10);
    expect(lines).toEqual(
      [0, 1].map((cell) => ({
        intent: expect.any(Number),
        key: call(cell).key,
        callKeys: [keyOf(cell)],
        parametersSent: '{"temperature":0}',
        ...{ estimatedUsd: 0.01, maxTokens: 500 },
      })),
    );
    const [first, second] = lines;
    expect(await ledger.batchLines(batch.id, first?.intent ?? 0, 10)).toEqual([second]);
    expect(await ledger.batchLines(batch.id, 0, 1)).toEqual([first]);
    expect(await ledger.batchLine(batch.id, keyOf(1))).toEqual(second);
    for (const name of [keyOf(2), 'no key', keyOf(9)]) expect(await ledger.batchLine(batch.id, name)).toBeUndefined();

    await ledger.commit(first?.intent ?? 0, [reply('a')], charge(0.01), null);
    await ledger.fail(second?.intent ?? 0, 'expired', charge(0, 0), 0);
    expect(await ledger.batchLines(batch.id, 0, 10)).toEqual([]);
    expect(await ledger.reserveInBatch(fence, line(0))).toMatchObject({ kind: 'answered' });
    expect((await ledger.samples(page)).map(({ key }) => key.cell)).toEqual([0]);
  });

  // Red in PostgreSQL without `adopted_line`, and in SQLite without `adopted`.
  test('neither a new attempt nor a new owner loses a line: the step that asks for it takes it over', async () => {
    const { ledger, fence } = await started();
    await batched(ledger, fence, 0);
    await go(ledger, fence, call(1));
    const epoch = await ledger.takeOver('second owner');
    const next = await ledger.openUnit(`${page}/other`, epoch);
    expect(await ledger.progress()).toMatchObject({ lostCalls: 1, liveIntents: 0, batches: [{ calls: 1 }] });
    expect(await ledger.reserveInBatch(next, line(0))).toEqual({ kind: 'batched' });
    expect([await ledger.batchedOf(unit), (await ledger.batchedOf(`${page}/other`))?.lines]).toEqual([null, 1]);
    // Asked by itself, or by another page, it is under way elsewhere.
    expect(await ledger.reserve(next, call(0))).toEqual({ kind: 'busy' });
    const other = 'loops/m-1a2b3c/r1p1';
    await ledger.addPages([{ page: other, study: 'loops', model: 'm', cells: 1, revision: 1 }]);
    const elsewhere = line(0, { key: { ...call(0).key, page: other } });
    expect(await ledger.reserveInBatch(next, elsewhere)).toEqual({ kind: 'busy' });
  });

  test('a call that its batch did not answer is asked by itself', async () => {
    const { ledger, fence, tender } = await started();
    await batched(ledger, fence, 0);
    const batch = await ledger.makeBatch(tender, 'm', 'a4f7c9f0-52c4-4e0d-8e51-6f0f3b1c2d3e', 10);
    const [first] = await ledger.batchLines(batch.id, 0, 1);
    await ledger.fail(first?.intent ?? 0, 'expired', charge(0, 0), 0);
    expect(await ledger.reserveInBatch(fence, line(0))).toEqual({ kind: 'ordinary' });
    expect((await ledger.reserve(fence, call(0))).kind).toBe('go');
    // Under way by itself, it is no line either.
    expect(await ledger.reserveInBatch(fence, line(0))).toEqual({ kind: 'busy' });
  });

  test('lines hold room in the budget at the price of a batch, and give it back when they are taken back', async () => {
    const { ledger, fence, tender } = await started();
    await ledger.setBudget({ usd: 0.06, tokens: null });
    await batched(ledger, fence, 0, 1);
    expect(await ledger.reserveInBatch(fence, line(2))).toEqual({ kind: 'busy' });
    expect(await ledger.reserveInBatch(fence, line(2, { inBatch: { maxUsd: 0.07, estimatedUsd: 0.01 } }))).toEqual({
      kind: 'stop',
      reason: 'budget',
    });
    expect(await ledger.releaseLines(tender, { batch: null, answeringModel: 'm' }, 1)).toBe(1);
    expect(await ledger.progress()).toMatchObject({ unsentByReason: {}, lostCalls: 0, batches: [{ calls: 1 }] });
    // A line that was taken back may be one again.
    await batched(ledger, fence, 0);
    const batch = await ledger.makeBatch(tender, 'm', '0c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e', 10);
    expect(await ledger.releaseLines(tender, { batch: null, answeringModel: 'm' }, 10)).toBe(0);
    expect(await ledger.releaseLines(tender, { batch: batch.id, answeringModel: 'm' }, 10)).toBe(2);
    expect(await ledger.batchQueues()).toEqual([]);
    expect((await ledger.records(page)).calls).toEqual([]);
    await batched(ledger, fence, 0, 1);
  });

  test('single lines of a batch are taken back, and may be lines of another one', async () => {
    const { ledger, fence, tender } = await started();
    await batched(ledger, fence, 0, 1, 2);
    const { id } = await ledger.makeBatch(tender, 'm', '77777777-7777-4777-8777-777777777777', 10);
    const lines = await ledger.batchLines(id, 0, 10);
    const intents = [lines[1]?.intent ?? 0];
    expect(await ledger.releaseLines(tender, { batch: null, answeringModel: 'm', intents }, 10)).toBe(0);
    expect(await ledger.releaseLines(tender, { batch: id, answeringModel: 'm', intents: [] }, 10)).toBe(0);
    expect(await ledger.releaseLines(tender, { batch: id, answeringModel: 'm', intents }, 10)).toBe(1);
    expect(await ledger.batchLines(id, 0, 10)).toEqual([lines[0], lines[2]]);
    await batched(ledger, fence, 1);
    expect(await ledger.batchQueues()).toMatchObject([{ lines: 1 }]);
  });

  test('lines go back to the queue: all of a refused batch, or the last of one that was too large', async () => {
    const { ledger, fence, tender } = await started();
    await batched(ledger, fence, 0, 1, 2);
    const refused = await ledger.makeBatch(tender, 'm', '11111111-1111-4111-8111-111111111111', 10);
    await ledger.unbatchLines(tender, refused.id, 0);
    expect((await ledger.changeBatch(tender, refused.id, { endReason: 'crowded' })).requests).toBe(3);
    expect(await ledger.batchQueues()).toMatchObject([{ lines: 3 }]);
    expect(await ledger.lastBatch('m')).toMatchObject({ requests: 3, crowdedInARow: 1 });
    const second = await ledger.makeBatch(tender, 'm', '22222222-2222-4222-8222-222222222222', 10);
    const lines = await ledger.batchLines(second.id, 0, 10);
    await ledger.unbatchLines(tender, second.id, lines[1]?.intent ?? 0);
    expect((await ledger.openBatches()).map(({ requests }) => requests)).toEqual([1]);
    expect(await ledger.batchQueues()).toMatchObject([{ lines: 2 }]);
  });

  test('what is known of a batch changes field by field, and stays', async () => {
    const { ledger, fence, tender } = await started();
    await batched(ledger, fence, 0);
    const { id } = await ledger.makeBatch(tender, 'm', '33333333-3333-4333-8333-333333333333', 10);
    await ledger.changeBatch(tender, id, { uploadAsked: true, file: 'file-7' });
    await ledger.changeBatch(tender, id, { createAskedMs: 1_753_000_000_123, endpointId: 'b-1', answered: 4 });
    const known = { uploadAsked: true, file: 'file-7', createAskedMs: 1_753_000_000_123, endpointId: 'b-1' };
    expect(await ledger.changeBatch(tender, id, { cancelled: true, shortReads: 2, fault: 'HTTP 500' })).toMatchObject({
      ...{ ...known, answered: 4, cancelled: true, shortReads: 2, fault: 'HTTP 500' },
    });
    expect((await ledger.progress()).batches).toEqual([
      { answeringModel: 'm', batches: 1, calls: 1, answered: 4, sinceMs: expect.any(Number), fault: 'HTTP 500' },
    ]);
    expect(await ledger.lastBatch('m')).toBeNull();
    await ledger.changeBatch(tender, id, { endReason: 'completed', fault: null });
    expect(await ledger.openBatches()).toEqual([]);
    expect(await ledger.lastBatch('m')).toMatchObject({ requests: 1, crowdedInARow: 0, tookMs: expect.any(Number) });
    await expect(ledger.changeBatch(tender, 9_999, {})).rejects.toThrow('the ledger has no batch 9999');
  });

  test('pages that have asked in batches and wait for no line are at work, until they are sealed', async () => {
    const { ledger, fence, tender } = await started();
    const other = 'loops/m-1a2b3c/r1p1';
    await ledger.addPages([{ page: other, study: 'loops', model: 'm', cells: 5, revision: 1 }]);
    await batched(ledger, fence, 0);
    const batch = await ledger.makeBatch(tender, 'm', '44444444-4444-4444-8444-444444444444', 10);
    const [first] = await ledger.batchLines(batch.id, 0, 1);
    const elsewhere = await ledger.openUnit(`${other}/generate`, fence.epoch);
    await ledger.reserveInBatch(elsewhere, line(1, { key: { ...call(1).key, page: other } }));
    const pagesAtWork = async () => (await ledger.batchQueues()).map((queue) => queue.pagesAtWork);
    expect(await pagesAtWork()).toEqual([0]);
    await ledger.commit(first?.intent ?? 0, [reply('a')], charge(0.01), null);
    expect(await pagesAtWork()).toEqual([1]);
    await ledger.sealPage(fence, page, []);
    expect(await pagesAtWork()).toEqual([0]);
  });

  test('an older attempt changes no batch', async () => {
    const { ledger, fence, tender: old } = await started();
    await batched(ledger, fence, 0);
    const { id } = await ledger.makeBatch(old, 'm', '55555555-5555-4555-8555-555555555555', 10);
    await ledger.openUnit(old.unit, old.epoch);
    for (const change of [
      ledger.makeBatch(old, 'm', '66666666-6666-4666-8666-666666666666', 10),
      ledger.changeBatch(old, id, { cancelled: true }),
      ledger.unbatchLines(old, id, 0),
      ledger.releaseLines(old, { batch: id, answeringModel: 'm' }, 10),
    ])
      await expect(change).rejects.toThrow(FencedError);
    expect((await ledger.openBatches()).map(({ cancelled }) => cancelled)).toEqual([false]);
    expect(await ledger.batchLines(id, 0, 10)).toHaveLength(1);
  });
}
