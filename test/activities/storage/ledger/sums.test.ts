/** Sums that a ledger in SQLite keeps, also one that was upgraded. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyLedger } from '../../../../activities/storage/verify/verify-ledger.ts';
import {
  addAllPages,
  fillSums,
  pages,
  sealAll,
  steps,
  stepsOf,
} from '../../../contract/stores/ledger/sums-contract.ts';
import { newFolder } from './ledger-fixture.ts';

async function filledLedger(path: string): Promise<Ledger> {
  const ledger = openLedger(path);
  await addAllPages(ledger);
  await fillSums(ledger);
  return ledger;
}

test('a ledger of format 4 gets the same sums when it is upgraded', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const ledger = await filledLedger(path);
  await sealAll(ledger, [pages[0], pages[2]]);
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
  await ledger.close();
  const file = new DatabaseSync(path);
  file.exec("update lane_spend set tokens = tokens + 1 where answering_model = 'judge'");
  file.close();
  expect(verifyLedger(path, false).problems).toEqual([
    expect.stringMatching(/the lanes' spent_tokens is \d+, the sum/),
  ]);
});
