/**
 * Totals beyond what a number holds, ledgers that an older program bricked with them, and calls that were never sent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Charge } from '../../../../activities/storage/ledger/records.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyLedger } from '../../../../activities/storage/verify/verify-ledger.ts';
import { call, charge, keyOf, newFolder, newLedger, page, reply } from './ledger-fixture.ts';

const unit = `${page}/generate`;

async function started(path?: string): Promise<{ ledger: Ledger; fence: Fence }> {
  const ledger = await newLedger(path);
  return { ledger, fence: await ledger.openUnit(unit, await ledger.takeOver('test')) };
}

async function go(ledger: Ledger, fence: Fence, ...asked: Parameters<typeof call>): Promise<number> {
  const reservation = await ledger.reserve(fence, call(...asked));
  if (reservation.kind !== 'go') throw new Error(`expected go, got ${reservation.kind}`);
  return reservation.intent;
}

async function pay(ledger: Ledger, fence: Fence, cell: number, paid: Charge): Promise<void> {
  await ledger.commit(await go(ledger, fence, cell), [reply(String(cell))], paid, 1);
}

// Red when totals are read as numbers: node:sqlite refuses an integer beyond 2^53.
test('totals may exceed what a number holds, exact to the nano-dollar', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(path);
  // 9,007,199.254740991 dollars are 2^53 - 1 nano-dollars: three of them and one nano-dollar.
  for (const cell of [0, 1, 2]) await pay(ledger, fence, cell, charge(9_007_199.254_740_991, 9_007_199_254_740_991));
  await pay(ledger, fence, 3, charge(0.000_000_001, 1));
  const { spend } = await ledger.progress();
  expect(spend.reportedUsd).toBeCloseTo(27_021_597.764_222, 5);
  await ledger.setBudget({ usd: 1e12, tokens: null });
  expect((await ledger.reserve(fence, call(4))).kind).toBe('go');
  await ledger.close();
  const file = new DatabaseSync(path);
  const stored = file.prepare('select reported_nano_usd as usd, spent_tokens as tokens from run');
  stored.setReadBigInts(true);
  expect(stored.get()).toEqual({ usd: 3n * (2n ** 53n - 1n) + 1n, tokens: 3n * (2n ** 53n - 1n) + 1n });
  file.close();
  expect((await openLedger(path).progress()).liveIntents).toBe(1);
});

/** A ledger of format 2 with an answer of `tokens`, charged as that format charged: every count was believed. */
function oldLedger(tokens: number): string {
  const path = join(newFolder(), 'ledger.sqlite');
  const file = new DatabaseSync(path);
  file.exec(readFileSync(new URL('ledger-format-2.sql', import.meta.url), 'utf8'));
  file.exec(`insert into lane (study, model, pages, cells) values ('loops', 'm', 1, 1000);
    insert into page (page, lane, cells, revision) values ('${page}', 1, 1000, 1);
    insert into call (call_key) values (x'${keyOf(0)}'), (x'${keyOf(1)}');`);
  const intent =
    file.prepare(`insert into intent (page, cell, step, loop, ask, sample, unit, epoch, attempt, answering_model,
      parameters_sent,
    max_nano_usd, max_tokens, estimated_usd, estimated_tokens, free, state, started_at_ms)
    values (1, ?, 'generate', 1, 0, 0, 1, 1, 1, 'm', '{}', 2000000, 1500, 0.001, 400, 0, 'answered', 0)`);
  const paid = file.prepare(`insert into charge (intent, input_tokens, output_tokens, usd, basis, price_date, tokens)
    values (?, ?, 20, ?, 'reported', 'spec', ?)`);
  const asked = file.prepare('insert into asked (intent, place, call, live) values (?, 0, ?, 0)');
  let total = 0;
  for (const [index, input] of [100, tokens].entries()) {
    const usd = (input + 20) * 1e-5;
    intent.run(index);
    asked.run(index + 1, index + 1);
    paid.run(index + 1, input, usd, input + 20);
    total += Math.round(usd * 1e9);
  }
  file.prepare('update run set reported_nano_usd = ?, spent_tokens = ?, answered = 2').run(total, tokens + 140);
  file.close();
  return path;
}

test.each([4_294_967_295, 1e15, Number.MAX_SAFE_INTEGER - 1000])(
  'a ledger that usage of %d tokens had bricked opens, with that usage taken to be what was reserved for it, and kept',
  async (tokens) => {
    const path = oldLedger(tokens);
    expect(verifyLedger(path, false).problems.join()).toContain('1 call with impossible usage');
    const ledger = openLedger(path);
    // 120 tokens at 10 dollars a million, and the other's most: 0.002 dollars and 1,500 tokens.
    expect(await ledger.progress()).toMatchObject({ disbelievedCalls: 1, spend: { tokens: 1620 } });
    expect((await ledger.progress()).spend.reportedUsd).toBeCloseTo(0.0032, 12);
    const [honest, absurd] = (await ledger.records(page)).calls.map(({ charge: one }) => one);
    expect(honest).toMatchObject({ inputTokens: 100, outputTokens: 20 });
    expect(honest?.usd).toBeCloseTo(0.0012, 12);
    expect(absurd).toMatchObject({ inputTokens: null, usd: 0.002 });
    expect(JSON.parse(absurd?.usageReported ?? '')).toMatchObject({ input_tokens: tokens, output_tokens: 20 });
    await ledger.setBudget({ usd: 1, tokens: null });
    const fence = await ledger.openUnit(unit, await ledger.takeOver('test'));
    expect((await ledger.reserve(fence, call(2))).kind).toBe('go');
    await ledger.close();
    const checked = verifyLedger(path, false);
    expect(checked.problems).toEqual([]);
    expect(checked.notes).toEqual([expect.stringContaining('1 call with impossible reported usage')]);
  },
);

// Red before: verify called it impossible, and said that an older version had recorded it.
test('a count far above what was reserved, which was believed when it came, is no problem', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(path);
  // 500 tokens were reserved.
  await pay(ledger, fence, 0, charge(2, 131_072));
  await ledger.close();
  expect(verifyLedger(path, false).problems).toEqual([]);
});

test('a ledger with plausible usage keeps every count when it is upgraded', async () => {
  const path = oldLedger(5_000);
  const ledger = openLedger(path);
  expect(await ledger.progress()).toMatchObject({ disbelievedCalls: 0, spend: { tokens: 5_140 } });
  expect((await ledger.records(page)).calls[1]?.charge).toMatchObject({ inputTokens: 5_000 });
});

test('totals that are not the sums over the calls are a problem that verify names', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(path);
  await pay(ledger, fence, 0, charge(0.01));
  await ledger.close();
  expect(verifyLedger(path, false).problems).toEqual([]);
  const file = new DatabaseSync(path);
  file.exec('update run set reported_nano_usd = reported_nano_usd + 1');
  file.close();
  expect(verifyLedger(path, false).problems).toEqual([
    expect.stringContaining('reported_nano_usd is 10000001, the sum of its calls is 10000000'),
  ]);
});
