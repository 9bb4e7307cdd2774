/** What every ledger promises, to one process and to several. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { noteFinalFailure } from '../../../activities/calls/attempts/final-failure.ts';
import { type Fence, FencedError } from '../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../activities/storage/ledger/ledger.ts';
import type { PartRecord } from '../../../activities/storage/ledger/records.ts';
import { cutAnswersPrefix } from '../../../activities/storage/ledger/noted-facts.ts';
import { notAskedFact } from '../../../activities/storage/ledger/uncounted.ts';
import { call, charge, go, keyOf, page, reply, verdict } from '../../activities/storage/ledger/ledger-calls.ts';
import { openLedgerAt } from './ledger-address.ts';

const unit = `${page}/generate`;

const part = (path: string, sha256: string): PartRecord => ({
  ...{ path, table: 'loops', page, rows: 3, bytes: 100, sha256, schemaVersion: 1, revision: 1 },
});

/** @param newAddress of a ledger without pages; see `openLedgerAt` */
export function ledgerContract(newAddress: () => string | Promise<string>): void {
  let address: string;
  beforeEach(async () => {
    address = await newAddress();
  });

  /** What one more process would have. */
  async function open(): Promise<Ledger> {
    const ledger = await openLedgerAt(address);
    onTestFinished(() => ledger.close());
    return ledger;
  }

  /** With one page of 1,000 cells. */
  async function newLedger(): Promise<Ledger> {
    const ledger = await open();
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 1 }]);
    return ledger;
  }

  async function started(): Promise<{ ledger: Ledger; fence: Fence }> {
    const ledger = await newLedger();
    return { ledger, fence: await ledger.openUnit(unit, await ledger.takeOver('test')) };
  }

  test('a call is reserved once, committed, and answered from then on', async () => {
    const { ledger, fence } = await started();
    const intent = await go(ledger, fence, call(0));
    expect(await ledger.reserve(fence, call(0))).toEqual({ kind: 'busy' });
    const [stored] = await ledger.commit(intent, [reply('a')], charge(0.01), 12.5);
    expect(stored).toEqual({ callKey: keyOf(0), reply: reply('a'), origin: null });
    expect(await ledger.reserve(fence, call(0))).toEqual({ kind: 'answered', replies: [stored] });
    expect(await ledger.reply(keyOf(0))).toEqual(stored);
    expect(await ledger.reply(keyOf(1))).toBeUndefined();
  });

  test('of two reserves of one call in the same turn the second is busy', async () => {
    const { ledger, fence } = await started();
    const [first, second] = await Promise.all([ledger.reserve(fence, call(0)), ledger.reserve(fence, call(0))]);
    expect([first?.kind, second?.kind]).toEqual(['go', 'busy']);
  });

  test('a call that two studies share is asked once and counts for both', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, call(0)), [reply('shared')], charge(0.01), 1);
    expect((await ledger.reserve(fence, call(1, { callKeys: [keyOf(0)] }))).kind).toBe('answered');
    expect((await ledger.samples(page)).map(({ key, callKey, reply: { text } }) => [key.cell, callKey, text])).toEqual([
      [0, keyOf(0), 'shared'],
      [1, keyOf(0), 'shared'],
    ]);
    expect((await ledger.progress()).lanes).toEqual([
      { study: 'loops', model: 'm', cells: 1000, cellsDone: 0, answered: 2 },
    ]);
    expect((await ledger.progress()).answered).toBe(1);
  });

  test('a place of a page has samples once one of its cells is answered there, and no other place has', async () => {
    const { ledger, fence } = await started();
    const { step, loop, ask } = call(0).key;
    const intent = await go(ledger, fence, call(0));
    expect((await ledger.load(page)).hasSamples({ step, loop, ask })).toBe(false);
    await ledger.commit(intent, [reply('a')], charge(0.01), 1);
    const { hasSamples } = await ledger.load(page);
    expect(hasSamples({ step, loop, ask })).toBe(true);
    const others = [{ loop: loop + 1 }, { ask: ask + 1 }, { step: 'judge' as const }];
    expect(others.map((other) => hasSamples({ step, loop, ask, ...other }))).toEqual([false, false, false]);
    expect((await ledger.load('another')).hasSamples({ step, loop, ask })).toBe(false);
  });

  test('a sample that was answered is never asked under another key', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, call(0)), [reply('a')], charge(0.01), 1);
    await expect(ledger.reserve(fence, call(0, { callKeys: [keyOf('changed prompt')] }))).rejects.toThrow(
      /cell 0 generate.*another call key/,
    );
  });

  // Red when `unit?.epoch === fence.epoch && unit.attempt === fence.attempt` in plan-pages.ts gives way
  // to `unit !== undefined`.
  test('an older attempt of a unit may neither reserve nor seal', async () => {
    const { ledger, fence: old } = await started();
    const fence = await ledger.openUnit(unit, old.epoch);
    expect(await ledger.reserve(old, call(0))).toEqual({ kind: 'stop', reason: 'fenced' });
    await expect(ledger.sealPage(old, page, [])).rejects.toThrow(FencedError);
    expect((await ledger.reserve(fence, call(0))).kind).toBe('go');
  });

  // Red when `if (fence.epoch !== totals.epoch) return undefined` is removed from plan-pages.ts.
  test('an older epoch may do nothing, even in a unit that was not opened since', async () => {
    const { ledger, fence } = await started();
    const epoch = await ledger.takeOver('second owner');
    expect(epoch).toBe(fence.epoch + 1);
    expect(await ledger.currentEpoch()).toBe(epoch);
    expect(await ledger.reserve(fence, call(0))).toEqual({ kind: 'stop', reason: 'fenced' });
    await expect(ledger.openUnit(unit, fence.epoch)).rejects.toThrow(FencedError);
  });

  // Red when `if (next <= last) throw` is removed from sqlite-ledger.ts:
  // a worker that stood still would fence its own successor off.
  test('an attempt that starts after a newer one of its step is refused, and the newer one goes on', async () => {
    const {
      ledger,
      fence: { epoch },
    } = await started();
    const second = await ledger.openUnit('step', epoch, 2);
    await expect(ledger.openUnit('step', epoch, 1)).rejects.toThrow(FencedError);
    await expect(ledger.openUnit('step', epoch, 2)).rejects.toThrow(FencedError);
    expect((await ledger.reserve(second, call(0))).kind).toBe('go');
    expect(await ledger.openUnit('step', await ledger.takeOver('second owner'), 1)).toEqual({
      unit: 'step',
      epoch: epoch + 1,
      attempt: 1,
    });
  });

  test('a fenced attempt is refused even if the reply exists', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, call(0)), [reply('a')], charge(0.01), 1);
    await ledger.takeOver('second owner');
    expect(await ledger.reserve(fence, call(0))).toEqual({ kind: 'stop', reason: 'fenced' });
  });

  test('a new attempt charges the old one’s open calls at their estimate and may ask them again', async () => {
    const { ledger, fence } = await started();
    await go(ledger, fence, call(0, { estimatedUsd: 0.02, estimatedTokens: 200 }));
    const next = await ledger.openUnit(unit, fence.epoch);
    expect(await ledger.progress()).toMatchObject({
      lostCalls: 1,
      liveIntents: 0,
      spend: { reportedUsd: 0, estimatedUsd: 0.02, unknownUsdCalls: 0, tokens: 200 },
    });
    expect((await ledger.reserve(next, call(0))).kind).toBe('go');
  });

  // Red before: it counted none, so a budget in tokens did not hold where replies are cut.
  test('a failed call that may have been billed counts the tokens that it could take', async () => {
    const { ledger, fence } = await started();
    const none = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null, priceDate: null };
    const unknown = { ...none, usd: 0.02, basis: 'estimated' as const };
    await ledger.fail(await go(ledger, fence, call(0)), 'cut: no end', { ...unknown, assumedTokens: 500 }, 1);
    await ledger.fail(await go(ledger, fence, call(1)), 'HTTP 500: no', { ...none, usd: 0, basis: 'reported' }, 1);
    expect((await ledger.progress()).spend).toMatchObject({ estimatedUsd: 0.02, tokens: 500 });
  });

  test('a lost call that was free costs nothing; one of unknown price is counted', async () => {
    const { ledger, fence } = await started();
    await go(ledger, fence, call(0, { free: true, maxUsd: 0, estimatedUsd: 0 }));
    await go(ledger, fence, call(1, { maxUsd: null, estimatedUsd: null, estimatedTokens: 7 }));
    await ledger.takeOver('second owner');
    expect((await ledger.progress()).spend).toEqual({ reportedUsd: 0, estimatedUsd: 0, unknownUsdCalls: 1, tokens: 7 });
    expect(
      (await ledger.records(page)).calls.map(({ status, used, charge: paid }) => [
        status,
        used,
        paid?.basis,
        paid?.usd,
      ]),
    ).toEqual([
      ['lost', false, 'free', 0],
      ['lost', false, 'estimated', null],
    ]);
  });

  test('a late reply to a lost call counts if there is no other, at its real cost', async () => {
    const { ledger, fence } = await started();
    const intent = await go(ledger, fence, call(0));
    await ledger.takeOver('second owner');
    expect((await ledger.commit(intent, [reply('late')], charge(0.013), 9))[0]?.reply.text).toBe('late');
    expect((await ledger.samples(page)).map((sample) => sample.reply.text)).toEqual(['late']);
    expect((await ledger.records(page)).calls).toMatchObject([
      { status: 'answered', used: true, charge: { usd: 0.013, basis: 'reported' } },
    ]);
    expect(await ledger.progress()).toMatchObject({
      lostCalls: 0,
      answered: 1,
      spend: { reportedUsd: 0.013, estimatedUsd: 0, tokens: 42 },
    });
  });

  // Red when `insert or ignore into reply` in call-book.ts becomes `insert or replace`:
  // what was built on the first reply would be false.
  test('of two replies to one call the first counts, and the loser is paid but unused', async () => {
    const { ledger, fence } = await started();
    const slow = await go(ledger, fence, call(0));
    const next = await ledger.openUnit(unit, fence.epoch);
    const quick = await go(ledger, next, call(0));
    await ledger.commit(quick, [reply('first')], charge(0.01), 1);
    expect((await ledger.commit(slow, [reply('second')], charge(0.01), 1))[0]?.reply.text).toBe('first');
    expect((await ledger.samples(page)).map((sample) => sample.reply.text)).toEqual(['first']);
    expect((await ledger.records(page)).calls.map(({ intent, status, used }) => [intent, status, used])).toEqual([
      [slow, 'answered', false],
      [quick, 'answered', true],
    ]);
    expect((await ledger.progress()).spend.reportedUsd).toBe(0.02);
  });

  test('a second commit of one intent changes nothing; a commit after a failure is refused', async () => {
    const { ledger, fence } = await started();
    const answered = await go(ledger, fence, call(0));
    await ledger.commit(answered, [reply('a')], charge(0.01), 1);
    expect((await ledger.commit(answered, [reply('b')], charge(0.01), 1))[0]?.reply.text).toBe('a');
    const failed = await go(ledger, fence, call(1));
    await ledger.fail(failed, 'HTTP 500: oops', charge(0, 0), 3);
    await expect(ledger.commit(failed, [reply('b')], charge(0.01), 1)).rejects.toThrow(
      `intent ${failed} was closed as failed`,
    );
    await expect(ledger.fail(answered, 'HTTP 500', charge(0, 0), 1)).rejects.toThrow('was answered');
    await expect(ledger.commit(99, [reply('b')], charge(0.01), 1)).rejects.toThrow(
      'call 99 is not reserved in this ledger',
    );
    expect(await ledger.progress()).toMatchObject({
      answered: 1,
      failedCalls: 1,
      liveIntents: 0,
      spend: { reportedUsd: 0.01 },
    });
  });

  test('questions that nobody asked do not count as answers, and final failures are told apart', async () => {
    const { ledger, fence } = await started();
    for (const cell of [0, 1]) await ledger.commit(await go(ledger, fence, call(cell)), [reply('')], charge(0), 1);
    for (const cell of [2, 3, 4])
      await ledger.fail(
        await go(ledger, fence, call(cell)),
        cell === 4 ? 'HTTP 500: x' : 'HTTP 401: y',
        charge(0, 0),
        1,
      );
    const plain = await ledger.progress();
    expect(plain).toMatchObject({ answered: 2, failedCalls: 3 });
    expect([plain.notAsked, plain.finalFailures]).toEqual([undefined, undefined]);
    const [lane] = plain.lanes.filter(({ answered }) => answered === 2);
    const { study, model } = lane ?? {};
    // Two cells with the same question, one of whose places was noted twice.
    for (const cell of [0, 1, 1])
      await ledger.saveFact(notAskedFact(call(cell).key), JSON.stringify({ study, model, callKey: 'same' }));
    for (const failure of ['HTTP 401: y', 'HTTP 401']) await noteFinalFailure(ledger, failure);
    await ledger.saveFact(`${cutAnswersPrefix}one`, JSON.stringify({ model, answers: 1 }));
    const { answered, notAsked, lanes, failedCalls, finalFailures, cutAnswers } = await ledger.progress();
    expect({ answered, notAsked, failedCalls, finalFailures }).toEqual({
      ...{ answered: 1, notAsked: 1, failedCalls: 3, finalFailures: { 'HTTP 401': 2 } },
    });
    expect(lanes.find((one) => one.study === study && one.model === model)?.answered).toBe(0);
    const ofModel = lanes.filter((one) => one.model === model).reduce((sum, one) => sum + one.answered, 0);
    expect(cutAnswers).toEqual([{ model, cut: 1, answered: ofModel }]);
  });

  test('the newest failures are told with what was asked of whom, answers between them left out', async () => {
    const { ledger, fence } = await started();
    const before = Date.now();
    expect(await ledger.latestFailures(2)).toEqual([]);
    for (const [index, failure] of ['HTTP 429: quota', 'HTTP 503: loading', null, 'HTTP 500: oops'].entries()) {
      const intent = await go(ledger, fence, call(index, { answeringModel: index === 1 ? 'judge' : 'm' }));
      await (failure === null
        ? ledger.commit(intent, [reply('a')], charge(0.01), 1)
        : ledger.fail(intent, failure, charge(0, 0), 5));
    }
    const [first, second, ...rest] = await ledger.latestFailures(2);
    const asked = { study: 'loops', model: 'm', step: 'generate' };
    expect(first).toEqual({ ...asked, answeringModel: 'm', reason: 'HTTP 500: oops', atMs: expect.any(Number) });
    expect(second).toEqual({
      ...asked,
      answeringModel: 'judge',
      reason: 'HTTP 503: loading',
      atMs: expect.any(Number),
    });
    expect(rest).toEqual([]);
    expect(first?.atMs).toBeGreaterThanOrEqual(before + 5);
    expect(first?.atMs).toBeLessThanOrEqual(Date.now() + 5);
  });

  test('a failed call may be asked again, and failures are counted by their reason', async () => {
    const { ledger, fence } = await started();
    for (const failure of ['HTTP 429: slow down', 'HTTP 429: quota', 'timeout']) {
      await ledger.fail(await go(ledger, fence, call(0)), failure, charge(0, 0), 5);
    }
    expect(await ledger.progress()).toMatchObject({ failedCalls: 3, failuresByReason: { 'HTTP 429': 2, timeout: 1 } });
    expect(
      (await ledger.records(page)).calls.map(({ status, failure, latencyMs }) => [status, failure, latencyMs]),
    ).toEqual([
      ['failed', 'HTTP 429: slow down', 5],
      ['failed', 'HTTP 429: quota', 5],
      ['failed', 'timeout', 5],
    ]);
  });

  test('a budget in USD reserves the maximum of every open call', async () => {
    const { ledger, fence } = await started();
    await ledger.setBudget({ usd: 0.1, tokens: null });
    const intent = await go(ledger, fence, call(0, { maxUsd: 0.06 }));
    expect(await ledger.reserve(fence, call(1, { maxUsd: 0.05 }))).toEqual({ kind: 'busy' });
    await ledger.commit(intent, [reply('a')], charge(0.05), 1);
    expect((await ledger.reserve(fence, call(1, { maxUsd: 0.05 }))).kind).toBe('go');
    expect(await ledger.reserve(fence, call(2, { maxUsd: 0.06 }))).toEqual({ kind: 'stop', reason: 'budget' });
  });

  test('under a budget in USD a call without a price is refused, and a free one never', async () => {
    const { ledger, fence } = await started();
    expect((await ledger.reserve(fence, call(0, { maxUsd: null }))).kind).toBe('go');
    await ledger.setBudget({ usd: 0, tokens: null });
    expect(await ledger.reserve(fence, call(1, { maxUsd: null }))).toEqual({ kind: 'stop', reason: 'budget' });
    expect((await ledger.reserve(fence, call(2, { maxUsd: 0, free: true }))).kind).toBe('go');
  });

  test('a budget in tokens counts open calls at their maximum and can be raised', async () => {
    const { ledger, fence } = await started();
    await ledger.setBudget({ usd: null, tokens: 900 });
    await go(ledger, fence, call(0, { maxTokens: 500 }));
    expect(await ledger.reserve(fence, call(1, { maxTokens: 500 }))).toEqual({ kind: 'busy' });
    expect(await ledger.reserve(fence, call(1, { maxTokens: 901 }))).toEqual({ kind: 'stop', reason: 'budget' });
    await ledger.setBudget({ usd: null, tokens: 1000 });
    expect((await ledger.reserve(fence, call(1, { maxTokens: 500 }))).kind).toBe('go');
  });

  test('stops block calls, not stored replies, and the newest row counts', async () => {
    const { ledger, fence } = await started();
    await ledger.commit(await go(ledger, fence, call(0)), [reply('a')], charge(0.01), 1);
    await ledger.setStop('m', 'model_stopped', '401 from the endpoint');
    await ledger.setStop(null, 'paused', 'by hand');
    expect(await ledger.stopOf('m')).toEqual({ reason: 'paused', detail: 'by hand' });
    expect((await ledger.progress()).stopped).toEqual([
      { model: '*', reason: 'paused', detail: 'by hand' },
      { model: 'm', reason: 'model_stopped', detail: '401 from the endpoint' },
    ]);
    expect((await ledger.reserve(fence, call(0))).kind).toBe('answered');
    await ledger.setStop(null, null, 'resumed');
    expect(await ledger.reserve(fence, call(1))).toEqual({ kind: 'stop', reason: 'model_stopped' });
    expect(await ledger.stopOf('other')).toBeNull();
    await ledger.setStop('m', null, 'key was renewed');
    expect((await ledger.reserve(fence, call(1))).kind).toBe('go');
  });

  test('replies are restored exactly, lone surrogates included', async () => {
    const { ledger, fence } = await started();
    const odd = { ...reply('\ud800 ünï 🎈 \u0000'), logprobs: null, finishReason: 'refusal' as const };
    await ledger.commit(await go(ledger, fence, call(0)), [odd], charge(0.01), 1, 'run-7');
    expect((await ledger.samples(page))[0]).toEqual({
      key: call(0).key,
      callKey: keyOf(0),
      reply: odd,
      origin: 'run-7',
    });
    expect((await ledger.records(page)).calls[0]?.origin).toBe('run-7');
  });

  test('samples come in key order, or one by one', async () => {
    const { ledger, fence } = await started();
    for (const [cell, loop] of [
      [2, 1],
      [0, 2],
      [0, 1],
      [10, 1],
    ] as const) {
      const wanted = call(cell, {
        callKeys: [keyOf(`${cell}/${loop}`)],
        key: { page, cell, step: 'generate', loop, ask: 0, sample: 0 },
      });
      await ledger.commit(await go(ledger, fence, wanted), [reply('x')], charge(0), 1);
    }
    expect((await ledger.samples(page)).map(({ key }) => [key.cell, key.loop])).toEqual([
      [0, 1],
      [0, 2],
      [2, 1],
      [10, 1],
    ]);
    const { sample } = await ledger.load(page);
    const at = (cell: number, loop: number) => sample({ cell, step: 'generate', loop, ask: 0, sample: 0 });
    expect(at(0, 2)).toEqual((await ledger.samples(page))[1]);
    expect(at(2, 2)).toBeUndefined();
  });

  test('one failing request in a group does not affect the others', async () => {
    const { ledger, fence } = await started();
    const [good, bad, other] = await Promise.allSettled([
      ledger.reserve(fence, call(0)),
      ledger.reserve(fence, call(1, { callKeys: ['no hash'] })),
      ledger.reserve(fence, call(2)),
    ]);
    expect(good).toMatchObject({ status: 'fulfilled', value: { kind: 'go' } });
    expect(bad).toMatchObject({
      status: 'rejected',
      reason: { message: 'a key must be 64 lower-case hex digits, got "no hash"' },
    });
    expect(other).toMatchObject({ status: 'fulfilled', value: { kind: 'go' } });
    expect((await ledger.progress()).liveIntents).toBe(2);
  });

  test('negative and non-finite amounts of money are refused', async () => {
    const { ledger, fence } = await started();
    await expect(ledger.reserve(fence, call(0, { maxUsd: Number.NaN }))).rejects.toThrow('got NaN');
    const intent = await go(ledger, fence, call(0));
    await expect(ledger.commit(intent, [reply('a')], charge(-1), 1)).rejects.toThrow('got -1');
    expect(await ledger.progress()).toMatchObject({ liveIntents: 1, answered: 0 });
  });

  test('a page is sealed once; equal bytes may come again, others may not', async () => {
    const { ledger, fence } = await started();
    await ledger.sealPage(fence, page, [part('loops/a.parquet', keyOf('a'))]);
    expect(await ledger.pageState(page)).toBe('sealed');
    await ledger.sealPage(fence, page, [part('loops/a.parquet', keyOf('a'))]);
    await expect(ledger.sealPage(fence, page, [part('loops/b.parquet', keyOf('b'))])).rejects.toThrow(
      /changed rows need a new revision/,
    );
    expect(await ledger.parts()).toEqual([part('loops/a.parquet', keyOf('a'))]);
    expect((await ledger.progress()).pages).toEqual({ total: 1, sealed: 1, failed: 0 });
    expect((await ledger.progress()).lanes[0]?.cellsDone).toBe(1000);
  });

  // Red before: a run that was extended while its sweep went on was complete, with a third of its answers missing.
  test('a page that a later plan asks more of stays open when parts of the earlier plan come', async () => {
    const { ledger, fence } = await started();
    await ledger.addPages([{ page, study: 'loops', model: 'm', cells: 1000, revision: 2 }]);
    const earlier = part('loops/a.parquet', keyOf('a'));
    await ledger.sealPage(fence, page, [earlier]);
    expect([await ledger.pageState(page), await ledger.parts()]).toEqual(['open', [earlier]]);
    expect(await ledger.openLanes()).toEqual([{ study: 'loops', model: 'm', open: 1 }]);
    await ledger.sealPage(fence, page, [{ ...part('loops/b.parquet', keyOf('b')), revision: 2 }]);
    expect([await ledger.pageState(page), await ledger.openLanes()]).toEqual(['sealed', []]);
  });

  test('a fenced seal registers nothing and leaves the page open', async () => {
    const { ledger, fence: old } = await started();
    await ledger.openUnit(unit, old.epoch);
    await expect(ledger.sealPage(old, page, [part('loops/a.parquet', keyOf('a'))])).rejects.toThrow(FencedError);
    expect(await ledger.pageState(page)).toBe('open');
    expect(await ledger.parts()).toEqual([]);
  });

  test('parts replace those of the same table and page, which stay registered, and may return', async () => {
    const { ledger, fence } = await started();
    const { epoch } = fence;
    const runPart = (name: string, revision = 1) => ({
      ...part(`asl/run.${name}.parquet`, keyOf(name)),
      table: 'asl',
      page: 'run',
      revision,
    });
    const other = { ...part('models/run.parquet', keyOf('m')), table: 'models', page: 'run' };
    const aside = (one: PartRecord) => ({ ...one, path: `superseded/${one.path}` });
    expect(await ledger.replaceParts(epoch, [runPart('a'), other])).toEqual([]);
    expect(await ledger.replaceParts(epoch, [runPart('b', 2)])).toEqual(['asl/run.a.parquet']);
    expect([await ledger.parts(), await ledger.supersededParts()]).toEqual([
      [runPart('b', 2), other],
      [aside(runPart('a'))],
    ]);
    expect(await ledger.replaceParts(epoch, [runPart('a')])).toEqual(['asl/run.b.parquet']);
    expect([await ledger.parts(), await ledger.supersededParts()]).toEqual([
      [runPart('a'), other],
      [aside(runPart('b', 2))],
    ]);
    // A part that counts is not forgotten.
    await ledger.forgetSpent([aside(runPart('b', 2)).path, other.path]);
    expect([await ledger.parts(), await ledger.supersededParts()]).toEqual([[runPart('a'), other], []]);
  });

  test('merged parts hold the rows of pages, spend their parts, and come apart before rows are replaced', async () => {
    const { ledger, fence } = await started();
    const { epoch } = fence;
    const single = part('loops/a.parquet', keyOf('a'));
    await ledger.sealPage(fence, page, [single]);
    const merged = {
      ...part('loops/m.parquet', keyOf('m')),
      page: 'loops/m/r1p0-r1p3',
      pages: { [page]: 3, other: 0 },
    };
    expect(await ledger.exchangeParts(epoch, [single], [merged])).toEqual(['loops/a.parquet']);
    const spent = 'superseded/loops/a.parquet';
    expect([await ledger.parts(), await ledger.spentParts()]).toEqual([[merged], [spent]]);
    await expect(ledger.exchangeParts(epoch, [single], [merged])).rejects.toThrow(
      /a\.parquet has been replaced since it was read/,
    );
    const next = { ...part('loops/b.parquet', keyOf('b')), revision: 2 };
    await expect(ledger.replaceParts(epoch, [next])).rejects.toThrow(
      /loops\/m\.parquet holds rows of .*: take it apart/,
    );
    await ledger.forgetSpent([spent, merged.path]);
    expect([await ledger.parts(), await ledger.spentParts(), await ledger.supersededParts()]).toEqual([
      [merged],
      [],
      [],
    ]);
    // Taken apart, its rows are in the page's own file again.
    await ledger.exchangeParts(epoch, [merged], [single]);
    expect(await ledger.replaceParts(epoch, [next])).toEqual(['loops/a.parquet']);
    expect(await ledger.parts()).toEqual([next]);
  });

  test('pages are added once, fail, open again, and never change', async () => {
    const ledger = await newLedger();
    const other = { page: 'loops/n/r1p0', study: 'loops', model: 'n', cells: 4, revision: 1 };
    await ledger.addPages([other]);
    await ledger.addPages([other]);
    await expect(ledger.addPages([{ ...other, cells: 5 }])).rejects.toThrow(
      'page loops/n/r1p0 has cells 4 in the ledger, got 5',
    );
    await ledger.failPage(other.page, 'five attempts');
    expect(await ledger.progress()).toMatchObject({
      pages: { total: 2, sealed: 0, failed: 1 },
      failedPages: [{ page: other.page, reason: 'five attempts' }],
    });
    await ledger.reopenFailedPages();
    expect(await ledger.pageState(other.page)).toBe('open');
    await ledger.markCellsDone(other.page, 3);
    await ledger.markCellsDone(other.page, 2);
    expect((await ledger.progress()).lanes.map(({ model, cellsDone }) => [model, cellsDone])).toEqual([
      ['m', 0],
      ['n', 3],
    ]);
    await expect(ledger.markCellsDone(other.page, 5)).rejects.toThrow('has 4 cells, got 5 done');
    await expect(ledger.pageState('nowhere')).rejects.toThrow('page nowhere is not in the ledger');
  });

  test('the first verdict, reference and fact count', async () => {
    const ledger = await newLedger();
    expect(await ledger.verdict(keyOf('e'))).toBeUndefined();
    expect(await ledger.saveVerdict(verdict('first'))).toEqual(verdict('first'));
    expect(await ledger.saveVerdict(verdict('second'))).toEqual(verdict('first'));
    expect(await ledger.verdict(keyOf('e'))).toEqual(verdict('first'));
    expect((await ledger.progress()).verdicts).toBe(1);

    const reference = {
      key: keyOf('r'),
      outcome: 'pass',
      firstFailingCase: null,
      outputs: ['1', null],
      caseMs: [0.5, 1],
    } as const;
    await ledger.saveReference(reference);
    await ledger.saveReference({ ...reference, outputs: [] });
    expect(await ledger.reference(keyOf('r'))).toEqual(reference);

    expect(await ledger.saveFact('mutations', '[1]')).toBe('[1]');
    expect(await ledger.saveFact('mutations', '[2]')).toBe('[1]');
    expect(await ledger.fact('nothing')).toBeUndefined();
  });

  test('what is read by many keys is what is read by one, and what is not there is left out', async () => {
    const ledger = await newLedger();
    const others = ['loops/m-1a2b3c/r1p1', 'loops/m-1a2b3c/r1p2'];
    await ledger.addPages(others.map((other) => ({ page: other, study: 'loops', model: 'm', cells: 1, revision: 1 })));
    await ledger.failPage(others[1] ?? '', 'no sandbox');
    expect(await ledger.pageStates([page, ...others])).toEqual(
      new Map([
        [page, 'open'],
        [others[0], 'open'],
        [others[1], 'failed'],
      ]),
    );
    await expect(ledger.pageStates([page, 'no such page'])).rejects.toThrow('no such page is not in the ledger');
    const [first, second] = [verdict('1'), { ...verdict('2'), executionKey: keyOf('f') }];
    for (const one of [first, second]) await ledger.saveVerdict(one);
    expect(await ledger.verdicts([keyOf('f'), keyOf('g'), keyOf('e')])).toEqual(
      new Map([
        [keyOf('f'), second],
        [keyOf('e'), first],
      ]),
    );
    await ledger.saveFact('a/1', '"one"');
    await ledger.saveFact('a/2', '"two"');
    await ledger.saveFact('b', '"three"');
    expect(await ledger.factsNamed(['b', 'c', 'a/2'])).toEqual(
      new Map([
        ['b', '"three"'],
        ['a/2', '"two"'],
      ]),
    );
    expect(await ledger.facts('a/')).toEqual(['"one"', '"two"']);
  });

  // Red before: nothing of them was counted.
  test('tasks whose mutations were tried are counted until the first answer', async () => {
    const ledger = await newLedger();
    expect((await ledger.progress()).mutated).toBeUndefined();
    for (const sha256 of ['a', 'b', 'a']) await ledger.saveFact(`failing-mutations/${sha256}`, '[]');
    expect((await ledger.progress()).mutated).toBe(2);
    const fence = await ledger.openUnit(unit, await ledger.takeOver('test'));
    await ledger.commit(await go(ledger, fence, call(0)), [reply('x')], charge(0.01), 1);
    expect((await ledger.progress()).mutated).toBeUndefined();
  });

  test('a page that was loaded has what was stored before, by any process', async () => {
    const { ledger, fence } = await started();
    const { page: _page, ...place } = call(0).key;
    await ledger.commit(await go(ledger, fence, call(0)), [reply('a')], charge(0.01), 1);
    const { sample, hasSamples } = await (await open()).load(page);
    expect(sample(place)).toMatchObject({ key: call(0).key, callKey: keyOf(0), reply: reply('a') });
    expect(sample({ ...place, cell: 1 })).toBeUndefined();
    expect([hasSamples(place), hasSamples({ ...place, loop: 2 })]).toEqual([true, false]);
  });

  // Red when `refuseOldEpoch` is removed from sqlite-ledger.ts.
  test('an older epoch replaces and exchanges no parts', async () => {
    const { ledger, fence } = await started();
    const [single, merged] = [
      part('loops/a.parquet', keyOf('a')),
      { ...part('loops/m.parquet', keyOf('m')), page: 'x' },
    ];
    await ledger.sealPage(fence, page, [single]);
    await ledger.takeOver('second owner');
    await expect(ledger.replaceParts(fence.epoch, [{ ...single, revision: 2 }])).rejects.toThrow(FencedError);
    await expect(ledger.exchangeParts(fence.epoch, [single], [merged])).rejects.toThrow(FencedError);
    expect(await ledger.parts()).toEqual([single]);
    expect(await ledger.currentPaths(['loops/b.parquet', single.path])).toEqual(new Set([single.path]));
  });

  // Red when `while (held !== undefined) await held` is removed from write-gate.ts: writers wait in the wrong place.
  test("work under the manifest's lock runs alone, and nobody takes over meanwhile, while others read", async () => {
    const [first, second] = [await newLedger(), await open()];
    const seen: string[] = [];
    const work = (name: string, ledger: Ledger) =>
      ledger.withManifestLock(async () => {
        seen.push(`${name} begins`);
        const epoch = await ledger.currentEpoch();
        await new Promise((resolve) => void setTimeout(resolve, 40));
        seen.push(`${name} ends${epoch === (await ledger.currentEpoch()) ? '' : ' under another epoch'}`);
        return name;
      });
    const both = Promise.all([work('a', first), work('b', second)]);
    const taken = Promise.all([first.takeOver('another'), second.takeOver('a third')]);
    expect((await second.progress()).pages.total).toBe(1);
    expect(await both).toEqual(['a', 'b']);
    expect(new Set(await taken)).toEqual(new Set([1, 2]));
    const [a, b] = ['a', 'b'].map((name) => [`${name} begins`, `${name} ends`]) as [string[], string[]];
    expect([a.concat(b), b.concat(a)]).toContainEqual(seen);
    await expect(first.withManifestLock(() => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    expect(await work('c', second)).toBe('c');
  });
}
