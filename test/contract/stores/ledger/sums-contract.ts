/** What every ledger counts: equal to what its calls add up to, call by call. */
import { expect, test } from 'vitest';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import type { Charge } from '../../../../activities/storage/ledger/records.ts';
import { call, charge, go, keyOf, page, reply } from '../../../activities/storage/ledger/ledger-calls.ts';
import type { NewLedger } from './whole-contract.ts';

export const pages = ['loops/m-1/r1p0', 'loops/m-1/r1p1', 'loops/other-2/r1p0'] as const;
type Page = (typeof pages)[number];

export async function addAllPages(ledger: Ledger): Promise<void> {
  for (const page of pages)
    await ledger.addPages([
      { page, study: 'loops', model: page.includes('other') ? 'other' : 'm', cells: 100, revision: 1 },
    ]);
}

const asked = (page: Page, cell: number, more: Partial<Parameters<typeof call>[1]> = {}) =>
  call(cell, {
    key: { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 },
    callKeys: [keyOf(`${page} ${cell}`)],
    ...more,
  });

/** Answers, thoughts, a judge, a failure, two calls lost of which one is answered late, and shared answers. */
export async function fillSums(ledger: Ledger): Promise<void> {
  const epoch = await ledger.takeOver('first');
  const [first, second, other] = (await Promise.all(
    pages.map((page) => ledger.openUnit(`${page}/generate`, epoch)),
  )) as [Fence, Fence, Fence];
  for (const cell of [0, 1, 2])
    await ledger.commit(
      await go(ledger, first, asked(pages[0], cell)),
      [reply(`a${cell}`)],
      { ...charge(0.01 * (cell + 1), 100 + cell), reasoningTokens: cell === 0 ? null : 10 * cell },
      100 + cell,
    );
  await ledger.fail(
    await go(ledger, first, asked(pages[0], 3)),
    'HTTP 503',
    charge(0.02, 7, { basis: 'estimated' }),
    9,
  );
  const judged = asked(pages[1], 0, { answeringModel: 'judge' });
  await ledger.commit(await go(ledger, second, judged), [reply('j')], charge(null, 5), 50);
  // One request for two answers, and another cell and page that use answers that are there.
  const two = asked(pages[1], 1, { callKeys: [keyOf('two a'), keyOf('two b')] });
  await ledger.commit(await go(ledger, second, two), [reply('x'), reply('y')], charge(0.3, 60), 70);
  const shared = asked(pages[1], 2, { callKeys: [keyOf('two a')] });
  expect((await ledger.reserve(second, shared)).kind).toBe('answered');
  const elsewhere = asked(pages[2], 0, { callKeys: [keyOf(`${pages[0]} 0`)] });
  expect((await ledger.reserve(other, elsewhere)).kind).toBe('answered');
  const late = await go(ledger, first, asked(pages[0], 4));
  await go(ledger, other, asked(pages[2], 1, { maxUsd: null, estimatedUsd: null }));
  await ledger.takeOver('second');
  await ledger.commit(late, [reply('late')], charge(0.5, 11), 1_000);
}

/** As the ledger's own calls add up: the oracle of what is kept. */
async function bruteSpend(ledger: Ledger) {
  const found = pages.map(async (page) => (await ledger.records(page)).calls.map((one) => ({ page, ...one })));
  const calls = (await Promise.all(found)).flat();
  const lanes = Map.groupBy(
    calls,
    ({ page, answeringModel }) => `${page.split('/')[1]?.split('-')[0]} ${answeringModel}`,
  );
  return [...lanes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([lane, own]) => {
      const [model = '', answeringModel = ''] = lane.split(' ');
      const count = (status: string): number => own.filter((one) => one.status === status).length;
      const usd = (isEstimate: boolean): number =>
        own.reduce(
          (sum, { charge: one }) => sum + ((one?.basis === 'estimated') === isEstimate ? (one?.usd ?? 0) : 0),
          0,
        );
      return {
        ...{ study: 'loops', model, answeringModel },
        ...{ answered: count('answered'), failed: count('failed'), lost: count('lost') },
        ...{ tokens: expect.any(Number), unknownUsdCalls: own.filter(({ charge: one }) => one?.usd === null).length },
        ...{ reportedUsd: expect.closeTo(usd(false), 12), estimatedUsd: expect.closeTo(usd(true), 12) },
      };
    });
}

/** By hand. A request's charge is divided among its replies; a shared reply is a sample for the page that asked. */
export const steps = [
  [pages[0], 'm', 4, 4, 314, 0.56],
  [pages[1], 'judge', 1, 1, 5, 0],
  [pages[1], 'm', 2, 2, 60, 0.3],
  [pages[2], 'm', 1, 0, 0, 0],
] as const;

export const stepsOf = async (ledger: Ledger) =>
  (await ledger.answeredSteps()).map(({ page, answeringModel, answers, samples, tokens, usd }) => [
    ...[page, answeringModel, answers, samples, tokens, Math.round(usd * 1e9) / 1e9],
  ]);

export async function sealAll(ledger: Ledger, names: readonly Page[]): Promise<void> {
  const epoch = await ledger.currentEpoch();
  for (const page of names) await ledger.sealPage(await ledger.openUnit(`${page}/seal`, epoch), page, []);
}

async function pay(ledger: Ledger, fence: Fence, cell: number, paid: Charge): Promise<void> {
  await ledger.commit(await go(ledger, fence, call(cell)), [reply(String(cell))], paid, 1);
}

export function sumsContract(newLedger: NewLedger): void {
  async function started(): Promise<{ ledger: Ledger; fence: Fence }> {
    const ledger = await newLedger();
    return { ledger, fence: await ledger.openUnit('step', await ledger.takeOver('test')) };
  }

  test('spending by lane is the sum of its calls, also of those that failed, were lost, or came late', async () => {
    const ledger = await newLedger();
    await addAllPages(ledger);
    await fillSums(ledger);
    expect(await ledger.spendByLane()).toEqual(await bruteSpend(ledger));
    expect([...(await ledger.answeredModels())].toSorted()).toEqual(['judge', 'm']);
    // By hand: (10 + 20) / 2; and of 100, 101, 102, 70 and 1,000 ms.
    expect(await ledger.meanThoughts('loops', 'm')).toBe(15);
    expect(await ledger.medianLatencyMs('m')).toBe(101);
  });

  test('answers by page and step are the same before a page is sealed, after it, and with a later one', async () => {
    const ledger = await newLedger();
    await addAllPages(ledger);
    await fillSums(ledger);
    expect(await stepsOf(ledger)).toEqual(steps);
    await sealAll(ledger, [pages[0], pages[1]]);
    expect(await stepsOf(ledger)).toEqual(steps);
    const fence = await ledger.openUnit(`${pages[0]}/generate`, await ledger.currentEpoch());
    await ledger.commit(await go(ledger, fence, asked(pages[0], 9)), [reply('later')], charge(1, 1), 5);
    expect((await stepsOf(ledger))[0]).toEqual([pages[0], 'm', 5, 5, 315, 1.56]);
    await ledger.addPages([{ page: pages[1], study: 'loops', model: 'm', cells: 100, revision: 2 }]);
    expect((await stepsOf(ledger)).slice(1)).toEqual(steps.slice(1));
  });

  test('a call that was never sent is not counted, frees its reservation, and may be reserved again', async () => {
    const { ledger, fence } = await started();
    await ledger.setBudget({ usd: 0.05, tokens: null });
    const before = await ledger.progress();
    for (let attempt = 1; attempt <= 3; attempt += 1)
      await ledger.release(await go(ledger, fence, call(0)), 'KEY is not set');
    expect(await ledger.progress()).toEqual({ ...before, unsentByReason: { 'KEY is not set': 3 } });
    expect((await ledger.records(page)).calls).toEqual([]);
    expect(await ledger.spendByLane()).toEqual([]);
    await pay(ledger, fence, 0, charge(0.01));
    expect((await ledger.records(page)).calls).toHaveLength(1);
    // Neither an answered call nor one that was given up as lost can be taken back.
    const [answered] = (await ledger.records(page)).calls;
    await ledger.release(answered?.intent ?? 0, 'late');
    expect(await ledger.progress()).toMatchObject({ answered: 1, unsentByReason: { 'KEY is not set': 3 } });
  });

  test('answers copied from other runs are counted by study, model and answering model', async () => {
    const { ledger, fence } = await started();
    expect(await ledger.reusedByLane()).toEqual([]);
    await pay(ledger, fence, 0, charge(0.25));
    const free = charge(0, 0, { basis: 'free' });
    for (const [cell, answeringModel] of ['judge', 'm', 'm'].entries()) {
      const intent = await go(ledger, fence, call(cell + 1, { answeringModel }));
      await ledger.commit(intent, [reply(String(cell))], free, null, 'earlier');
    }
    const lane = { study: 'loops', model: 'm' };
    expect(await ledger.reusedByLane()).toEqual([
      { ...lane, answeringModel: 'judge', answers: 1 },
      { ...lane, answeringModel: 'm', answers: 2 },
    ]);
  });

  test('pages that make prompts are told apart by their names, with their cells and answers', async () => {
    const { ledger, fence } = await started();
    await pay(ledger, fence, 0, charge(0.25));
    expect(await ledger.makingLanes()).toEqual([]);
    // The first model's name looks like a page of prompts.
    const named = [
      ['loops/v1p0000/r1p0000', 'v1p0000'],
      ['loops/m-1a2b3c/v1p0000', 'm'],
      ['loops/m-1a2b3c/v2p0000', 'm'],
    ] as const;
    for (const [name, model] of named)
      await ledger.addPages([{ page: name, study: 'loops', model, cells: 40, revision: 1 }]);
    const making = await ledger.openUnit(`${named[1][0]}/label`, await ledger.currentEpoch());
    const asks = [0, 1].map((cell) => call(cell, { callKeys: [keyOf(`label ${cell}`)] }));
    for (const one of asks) {
      const label = { ...one, key: { ...one.key, page: named[1][0] } };
      await ledger.commit(await go(ledger, making, label), [reply('a')], charge(0.01), 1);
    }
    await ledger.markCellsDone(named[1][0], 30);
    expect(await ledger.makingLanes()).toEqual([{ study: 'loops', model: 'm', cells: 80, cellsDone: 30, answered: 2 }]);
  });

  test('spend is shown by study, model and answering model; a failed call is charged as estimated', async () => {
    const { ledger, fence } = await started();
    await pay(ledger, fence, 0, charge(0.25));
    const judged = await go(ledger, fence, call(1, { answeringModel: 'judge' }));
    await ledger.fail(judged, 'HTTP 500: no', charge(0.02, 10, { basis: 'estimated' }), 1);
    const unknown = await go(ledger, fence, call(2, { maxUsd: null, estimatedUsd: null, answeringModel: 'judge' }));
    await ledger.commit(unknown, [reply('c')], charge(null), 1);
    const lane = { study: 'loops', model: 'm' };
    expect(await ledger.spendByLane()).toEqual([
      {
        ...lane,
        answeringModel: 'judge',
        answered: 1,
        failed: 1,
        lost: 0,
        tokens: 52,
        reportedUsd: 0,
        estimatedUsd: 0.02,
        unknownUsdCalls: 1,
      },
      {
        ...lane,
        answeringModel: 'm',
        answered: 1,
        failed: 0,
        lost: 0,
        tokens: 42,
        reportedUsd: 0.25,
        estimatedUsd: 0,
        unknownUsdCalls: 0,
      },
    ]);
  });

  // Red before: the ledger said how many calls were in flight, and nothing of what they hold.
  test('what calls in flight may cost is what losing them is charged, for each model', async () => {
    const ledger = await newLedger();
    await addAllPages(ledger);
    const fence = await ledger.openUnit(`${pages[0]}/generate`, await ledger.takeOver('first'));
    const calls = [{}, {}, { answeringModel: 'free', free: true }, { answeringModel: 'unknown', estimatedUsd: null }];
    for (const [cell, more] of calls.entries()) await go(ledger, fence, asked(pages[0], cell, more));
    await ledger.commit(await go(ledger, fence, asked(pages[0], 9)), [reply('a')], charge(0.01), 1);
    const now = await ledger.callsNow();
    expect(now.map(({ answeringModel, inFlight, inFlightUsd }) => [answeringModel, inFlight, inFlightUsd])).toEqual([
      ['free', 1, 0],
      ['m', 2, 0.04],
      ['unknown', 1, null],
    ]);
    await ledger.takeOver('second');
    expect((await ledger.progress()).spend).toMatchObject({ estimatedUsd: 0.04, unknownUsdCalls: 1 });
    expect((await ledger.callsNow()).map(({ inFlight, inFlightUsd }) => [inFlight, inFlightUsd])).toEqual([[0, 0]]);
  });
}
