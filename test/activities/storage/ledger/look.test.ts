/** A ledger opened for a look: it changes no file, and tells what is asked now. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openLedger, openLedgerToLook } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { call, charge, newFolder, newLedger, page, reply } from './ledger-fixture.ts';

test('a look at a ledger at rest leaves every file as it is; the next look sees what was written since', async () => {
  const folder = newFolder();
  const path = join(folder, 'ledger.sqlite');
  await (await newLedger(path)).close();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  const files = () =>
    readdirSync(folder).map((name) => {
      const { mtimeMs, ino } = statSync(join(folder, name));
      return [name, mtimeMs, ino, readFileSync(join(folder, name), 'hex')];
    });
  const before = files();
  const look = openLedgerToLook(path);
  expect((await look.progress()).pages.total).toBe(1);
  await look.close();
  expect(files()).toEqual(before);
  const owner = openLedger(path);
  await owner.failPage(page, 'no sandbox');
  const again = openLedgerToLook(path);
  expect((await again.progress()).failedPages).toEqual([{ page, reason: 'no sandbox' }]);
  await again.close();
  await owner.close();
});

test('a look does not upgrade a ledger of an older version, and says what does', () => {
  const folder = newFolder();
  const path = join(folder, 'ledger.sqlite');
  const old = new DatabaseSync(path);
  old.exec(readFileSync(join(import.meta.dirname, 'ledger-format-2.sql'), 'utf8'));
  old.exec('pragma journal_mode = wal');
  old.close();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  expect(() => openLedgerToLook(path)).toThrow(/ledger format 2; .* a look changes no file: `evenkeel status`/);
});

test('the mean of thoughts counts answers, of one model and study, whose endpoint reported them', async () => {
  const ledger = await newLedger();
  const fence = await ledger.openUnit('u', await ledger.takeOver('me'));
  const answered = async (cell: number, reasoningTokens: number | null, answeringModel = 'm'): Promise<void> => {
    const reserved = await ledger.reserve(fence, call(cell, { answeringModel }));
    if (reserved.kind !== 'go') throw new Error('must go');
    await ledger.commit(reserved.intent, [reply('a')], { ...charge(0.01), reasoningTokens }, 100);
  };
  expect(await ledger.meanThoughts('loops', 'm')).toBeNull();
  for (const [cell, tokens] of [300, 0, 90, null].entries()) await answered(cell, tokens);
  await answered(9, 5_000, 'judge');
  // By hand: (300 + 0 + 90) / 3.
  expect(await ledger.meanThoughts('loops', 'm')).toBe(130);
  expect(await ledger.meanThoughts('loops', 'judge')).toBe(5_000);
  expect(await ledger.meanThoughts('other', 'm')).toBeNull();
  await ledger.close();
});

test('tells for each model its calls in flight, since when, and the median latency of its newest answers', async () => {
  const ledger = await newLedger();
  const fence = await ledger.openUnit('u', await ledger.takeOver('me'));
  const go = async (cell: number, answeringModel: string): Promise<number> => {
    const reserved = await ledger.reserve(fence, call(cell, { answeringModel }));
    return reserved.kind === 'go' ? reserved.intent : -1;
  };
  expect(await ledger.callsNow()).toEqual([]);
  for (const [cell, latencyMs] of [300, 100, 200, 900].entries())
    await ledger.commit(await go(cell, 'm'), [reply('a')], charge(0.01), latencyMs);
  await ledger.fail(await go(10, 'm'), 'HTTP 500', charge(0, 0), 5_000);
  const before = Date.now();
  await go(20, 'judge');
  await go(21, 'judge');
  const [judge, m] = await ledger.callsNow();
  // By hand: of 100, 200, 300 and 900 ms, the upper one of the two in the middle.
  expect(m).toEqual({
    ...{ answeringModel: 'm', inFlight: 0, oldestSentMs: null, inFlightUsd: 0, medianLatencyMs: 300 },
  });
  expect(judge).toEqual({
    ...{ answeringModel: 'judge', inFlight: 2, inFlightUsd: 0.04, medianLatencyMs: null },
    oldestSentMs: expect.any(Number),
  });
  expect(judge?.oldestSentMs).toBeGreaterThanOrEqual(before);
  expect(judge?.oldestSentMs).toBeLessThanOrEqual(Date.now());
  await ledger.close();
});
