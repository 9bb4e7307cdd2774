/** What every ledger holds of one request for several samples, whatever comes back. */
import { expect, test } from 'vitest';
import type { CallToReserve } from '../../../../activities/storage/ledger/call-book.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { call, charge, go, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

const unit = `${page}/generate`;

const sampleKey = (sample: number): string => keyOf(`sample ${sample}`);

/** Samples `first` to `first + n - 1` of cell 0. */
const samples = (first: number, n: number, more: Partial<CallToReserve> = {}): CallToReserve =>
  call(0, {
    key: { ...call(0).key, sample: first },
    callKeys: Array.from({ length: n }, (_, place) => sampleKey(first + place)),
    ...more,
  });

const replies = (...texts: readonly string[]) => texts.map(reply);
const texts = async (ledger: Ledger) =>
  (await ledger.samples(page)).map(({ key, callKey, reply: { text } }) => [key.sample, callKey, text]);

/** @param newLedger opens one with one page */
export function answersContract(newLedger: NewLedger): void {
  async function started(): Promise<{ ledger: Ledger; fence: Fence }> {
    const ledger = await newLedger();
    return { ledger, fence: await ledger.openUnit(unit, await ledger.takeOver('test')) };
  }

  test('each reply has the call key of its own sample; the request is one call with one charge', async () => {
    const { ledger, fence } = await started();
    const stored = await ledger.commit(await go(ledger, fence, samples(0, 3)), replies('a', 'b', 'c'), charge(0.01), 1);
    expect(stored.map((one) => [one?.callKey, one?.reply.text])).toEqual([
      [sampleKey(0), 'a'],
      [sampleKey(1), 'b'],
      [sampleKey(2), 'c'],
    ]);
    expect(await texts(ledger)).toEqual([
      [0, sampleKey(0), 'a'],
      [1, sampleKey(1), 'b'],
      [2, sampleKey(2), 'c'],
    ]);
    expect((await ledger.records(page)).calls).toMatchObject([
      { key: { sample: 0 }, callKey: sampleKey(0), n: 3, status: 'answered', used: true },
    ]);
    expect(await ledger.progress()).toMatchObject({
      answered: 3,
      liveIntents: 0,
      lanes: [{ answered: 3 }],
      spend: { reportedUsd: 0.01, tokens: 42 },
    });
  });

  test('what a request cost counts once among the samples that it answered', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, samples(0, 3)), replies('a', 'b'), charge(0.04), 1);
    await ledger.commit(await go(ledger, fence, samples(2, 1)), replies('c'), charge(0.01), 1);
    expect(await ledger.answeredSteps()).toEqual([
      {
        page,
        step: 'generate',
        answeringModel: 'm',
        answers: 3,
        samples: 3,
        tokens: 84,
        usd: expect.closeTo(0.05, 12),
      },
    ]);
  });

  test('a sample is found again alone and in any other grouping, and only what is missing is asked for', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, samples(0, 3)), replies('a', 'b', 'c'), charge(0.01), 1);
    expect(await ledger.reserve(fence, samples(1, 1))).toMatchObject({
      kind: 'answered',
      replies: [{ reply: { text: 'b' } }],
    });
    expect(await ledger.reserve(fence, samples(2, 2))).toMatchObject({
      kind: 'answered',
      replies: [{ reply: { text: 'c' } }, null],
    });
    expect(await ledger.reserve(fence, samples(3, 2))).toMatchObject({ kind: 'go' });
  });

  test('another study with the same question finds the samples of one request', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, samples(0, 2)), replies('a', 'b'), charge(0.01), 1);
    const elsewhere = { ...samples(0, 2), key: { ...call(1).key, sample: 0 } };
    expect(await ledger.reserve(fence, elsewhere)).toMatchObject({
      kind: 'answered',
      replies: [{ reply: { text: 'a' } }, { reply: { text: 'b' } }],
    });
    expect((await ledger.samples(page)).map(({ key }) => [key.cell, key.sample])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
    // Two different answers, paid for once.
    expect(await ledger.answeredSteps()).toEqual([
      {
        page,
        step: 'generate',
        answeringModel: 'm',
        answers: 2,
        samples: 2,
        tokens: 42,
        usd: expect.closeTo(0.01, 12),
      },
    ]);
  });

  test('fewer replies than asked leave the other samples unanswered, to be asked for with a smaller n', async () => {
    const { ledger, fence } = await started();
    const stored = await ledger.commit(await go(ledger, fence, samples(0, 4)), replies('a', 'b'), charge(0.01), 1);
    expect(stored.map((one) => one?.reply.text)).toEqual(['a', 'b', undefined, undefined]);
    expect((await ledger.load(page)).sample({ ...call(0).key, sample: 2 })).toBeUndefined();
    await ledger.commit(await go(ledger, fence, samples(2, 2)), replies('c', 'd'), charge(0.01), 1);
    expect((await texts(ledger)).map(([, , text]) => text)).toEqual(['a', 'b', 'c', 'd']);
    expect((await ledger.records(page)).calls.map(({ key, n }) => [key.sample, n])).toEqual([
      [0, 4],
      [2, 2],
    ]);
  });

  test('more replies than asked are ignored, and none at all is refused', async () => {
    const { ledger, fence } = await started();
    const intent = await go(ledger, fence, samples(0, 2));
    await expect(ledger.commit(intent, [], charge(0.01), 1)).rejects.toThrow('cannot be answered without a reply');
    expect(await ledger.commit(intent, replies('a', 'b', 'c'), charge(0.01), 1)).toHaveLength(2);
    expect((await texts(ledger)).map(([sample]) => sample)).toEqual([0, 1]);
    expect((await ledger.progress()).answered).toBe(2);
  });

  test.each([0, 1, 2])(
    'while a request for samples 0 to 2 is under way, sample %i may not be asked for by itself',
    async (sample) => {
      const { ledger, fence } = await started();
      await go(ledger, fence, samples(0, 3));
      expect(await ledger.reserve(fence, samples(sample, 1))).toEqual({ kind: 'busy' });
      expect(await ledger.reserve(fence, samples(sample, 5))).toEqual({ kind: 'busy' });
      expect((await ledger.reserve(fence, samples(3, 2))).kind).toBe('go');
    },
  );

  // Red when `wanted.some(({ known }) => known?.live)` in call-book.ts looks at the first sample only.
  test('a group with one sample in flight is refused as well', async () => {
    const { ledger, fence } = await started();
    await go(ledger, fence, samples(2, 1));
    expect(await ledger.reserve(fence, samples(0, 4))).toEqual({ kind: 'busy' });
    expect((await ledger.reserve(fence, samples(0, 2))).kind).toBe('go');
  });

  test('a lost request is charged at its estimate once, and all its samples may be asked for again', async () => {
    const { ledger, fence } = await started();
    await go(ledger, fence, samples(0, 4, { estimatedUsd: 0.08, estimatedTokens: 800 }));
    const next = await ledger.openUnit(unit, fence.epoch);
    expect(await ledger.progress()).toMatchObject({
      lostCalls: 1,
      liveIntents: 0,
      spend: { estimatedUsd: 0.08, tokens: 800 },
    });
    expect((await ledger.reserve(next, samples(0, 2))).kind).toBe('go');
    expect((await ledger.reserve(next, samples(2, 2))).kind).toBe('go');
  });

  // Red when `insert or ignore into reply` in call-book.ts becomes `insert or replace`.
  test('of two replies to one sample the first counts, also where they came in different groups', async () => {
    const { ledger, fence } = await started();
    const slow = await go(ledger, fence, samples(0, 3));
    const next = await ledger.openUnit(unit, fence.epoch);
    await ledger.commit(await go(ledger, next, samples(1, 1)), replies('quick'), charge(0.01), 1);
    const stored = await ledger.commit(slow, replies('a', 'late', 'c'), charge(0.03), 1);
    expect(stored.map((one) => one?.reply.text)).toEqual(['a', 'quick', 'c']);
    expect((await texts(ledger)).map(([, , text]) => text)).toEqual(['a', 'quick', 'c']);
    const { calls, samples: answered } = await ledger.records(page);
    expect(calls.map(({ n, used }) => [n, used])).toEqual([
      [3, true],
      [1, true],
    ]);
    const [three, one] = calls.map(({ intent }) => intent);
    expect(answered.map(({ intent }) => intent)).toEqual([three, one, three]);
    expect(await ledger.progress()).toMatchObject({
      answered: 4,
      lostCalls: 0,
      spend: { reportedUsd: 0.04, estimatedUsd: 0 },
    });
  });

  test('a request whose every reply came too late is paid and not used', async () => {
    const { ledger, fence } = await started();
    const slow = await go(ledger, fence, samples(0, 2));
    const next = await ledger.openUnit(unit, fence.epoch);
    await ledger.commit(await go(ledger, next, samples(0, 2)), replies('a', 'b'), charge(0.01), 1);
    await ledger.commit(slow, replies('x', 'y'), charge(0.01), 1);
    expect((await ledger.records(page)).calls.map(({ used }) => used)).toEqual([false, true]);
  });

  test('a second commit of one intent gives back what counts, nulls included', async () => {
    const { ledger, fence } = await started();
    const intent = await go(ledger, fence, samples(0, 3));
    const first = await ledger.commit(intent, replies('a', 'b'), charge(0.01), 1);
    expect(await ledger.commit(intent, replies('x', 'y', 'z'), charge(0.01), 1)).toEqual(first);
    expect(await ledger.progress()).toMatchObject({ answered: 2, spend: { reportedUsd: 0.01 } });
  });

  test('a bad key in the middle reserves nothing', async () => {
    const { ledger, fence } = await started();
    const wanted = { ...samples(0, 3), callKeys: [sampleKey(0), 'no hash', sampleKey(2)] };
    await expect(ledger.reserve(fence, wanted)).rejects.toThrow('a key must be 64 lower-case hex digits');
    expect((await ledger.reserve(fence, samples(0, 3))).kind).toBe('go');
  });
}
