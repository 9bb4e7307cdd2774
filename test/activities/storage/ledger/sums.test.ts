/** Sums that the ledger keeps: equal to what its calls add up to, call by call, also in a ledger that was upgraded. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyLedger } from '../../../../activities/storage/verify/verify-ledger.ts';
import { call, charge, keyOf, newFolder, reply } from './ledger-fixture.ts';

const pages = ['loops/m-1/r1p0', 'loops/m-1/r1p1', 'loops/other-2/r1p0'] as const;
type Page = (typeof pages)[number];

async function filledLedger(path: string): Promise<Ledger> {
  const ledger = openLedger(path);
  for (const page of pages)
    await ledger.addPages([
      { page, study: 'loops', model: page.includes('other') ? 'other' : 'm', cells: 100, revision: 1 },
    ]);
  return ledger;
}

const asked = (page: Page, cell: number, more: Partial<Parameters<typeof call>[1]> = {}) =>
  call(cell, {
    key: { page, cell, step: 'generate', loop: 1, ask: 0, sample: 0 },
    callKeys: [keyOf(`${page} ${cell}`)],
    ...more,
  });

async function go(ledger: Ledger, fence: Fence, one: ReturnType<typeof call>): Promise<number> {
  const reserved = await ledger.reserve(fence, one);
  if (reserved.kind !== 'go') throw new Error(`expected go, got ${reserved.kind}`);
  return reserved.intent;
}

/** Answers, thoughts, a judge, a failure, two calls lost of which one is answered late, and shared answers. */
async function fill(ledger: Ledger): Promise<void> {
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
const steps = [
  [pages[0], 'm', 4, 4, 314, 0.56],
  [pages[1], 'judge', 1, 1, 5, 0],
  [pages[1], 'm', 2, 2, 60, 0.3],
  [pages[2], 'm', 1, 0, 0, 0],
] as const;

const stepsOf = async (ledger: Ledger) =>
  (await ledger.answeredSteps()).map(({ page, answeringModel, answers, samples, tokens, usd }) => [
    ...[page, answeringModel, answers, samples, tokens, Math.round(usd * 1e9) / 1e9],
  ]);

async function sealed(ledger: Ledger, names: readonly Page[]): Promise<void> {
  const epoch = await ledger.currentEpoch();
  for (const page of names) await ledger.sealPage(await ledger.openUnit(`${page}/seal`, epoch), page, []);
}

test('spending by lane is the sum of its calls, with some that failed, were lost, or were answered late', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const ledger = await filledLedger(path);
  await fill(ledger);
  expect(await ledger.spendByLane()).toEqual(await bruteSpend(ledger));
  expect([...(await ledger.answeredModels())].toSorted()).toEqual(['judge', 'm']);
  // By hand: (10 + 20) / 2; and of 100, 101, 102, 70 and 1,000 ms.
  expect(await ledger.meanThoughts('loops', 'm')).toBe(15);
  expect(await ledger.medianLatencyMs('m')).toBe(101);
  await ledger.close();
  expect(verifyLedger(path, false).problems).toEqual([]);
});

test('answers by page and step are the same before a page is sealed, after it, and after a later answer', async () => {
  const ledger = await filledLedger(join(newFolder(), 'ledger.sqlite'));
  await fill(ledger);
  expect(await stepsOf(ledger)).toEqual(steps);
  await sealed(ledger, [pages[0], pages[1]]);
  expect(await stepsOf(ledger)).toEqual(steps);
  const fence = await ledger.openUnit(`${pages[0]}/generate`, await ledger.currentEpoch());
  await ledger.commit(await go(ledger, fence, asked(pages[0], 9)), [reply('later')], charge(1, 1), 5);
  expect((await stepsOf(ledger))[0]).toEqual([pages[0], 'm', 5, 5, 315, 1.56]);
  await ledger.addPages([{ page: pages[1], study: 'loops', model: 'm', cells: 100, revision: 2 }]);
  expect((await stepsOf(ledger)).slice(1)).toEqual(steps.slice(1));
  await ledger.close();
});

test('a ledger of format 4 gets the same sums when it is upgraded', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const ledger = await filledLedger(path);
  await fill(ledger);
  await sealed(ledger, [pages[0], pages[2]]);
  const [spend, mean] = [await ledger.spendByLane(), await ledger.meanThoughts('loops', 'm')];
  await ledger.close();
  const file = new DatabaseSync(path);
  const kept = file.prepare('select * from page_answers').all();
  file.exec(`drop table lane_spend; drop table page_answers; drop index failed_intent; drop index page_of_lane;
    update meta set value = '4' where name = 'format'`);
  file.close();
  const upgraded = openLedger(path);
  expect([await upgraded.spendByLane(), await upgraded.meanThoughts('loops', 'm'), await stepsOf(upgraded)]).toEqual([
    spend,
    mean,
    steps,
  ]);
  await upgraded.close();
  const again = new DatabaseSync(path);
  expect(again.prepare('select * from page_answers').all()).toEqual(kept);
  again.close();
  expect(verifyLedger(path, false).problems).toEqual([]);
});

test('a lane that has other sums than its calls is a problem that verify names', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const ledger = await filledLedger(path);
  await fill(ledger);
  await ledger.close();
  const file = new DatabaseSync(path);
  file.exec("update lane_spend set tokens = tokens + 1 where answering_model = 'judge'");
  file.close();
  expect(verifyLedger(path, false).problems).toEqual([
    expect.stringMatching(/the lanes' spent_tokens is \d+, the sum/),
  ]);
});
