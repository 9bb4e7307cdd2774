/** A ledger that an older program wrote, as it wrote it: a failed call, an answered one, and one that was under way when it was left. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../activities/storage/sqlite-ledger.ts';
import { verifyLedger } from '../../../activities/storage/verify-ledger.ts';
import { call, keyOf, newFolder, newLedger, page, reply } from './ledger-fixture.ts';

function oldLedger(): string {
  const path = join(newFolder(), 'ledger.sqlite');
  const file = new DatabaseSync(path);
  file.exec(readFileSync(new URL('ledger-format-1.sql', import.meta.url), 'utf8'));
  file.close();
  return path;
}

test('a ledger of format 1 goes on: its replies are found, its calls are told, its open call is live and then lost', async () => {
  const path = oldLedger();
  expect(verifyLedger(path, false)).toMatchObject({ problems: [], replies: 1 });
  const ledger = openLedger(path);
  expect(ledger.samples(page)).toEqual([{ key: call(0).key, callKey: keyOf(0), reply: reply('kept'), origin: null }]);
  expect(ledger.calls(page).map(({ intent, callKey, n, status, used }) => [intent, callKey, n, status, used])).toEqual([
    [1, keyOf(0), 1, 'failed', false],
    [2, keyOf(0), 1, 'answered', true],
  ]);
  const fence = { unit: `${page}/generate`, epoch: 1, attempt: 1 };
  expect(await ledger.reserve(fence, call(0))).toMatchObject({ kind: 'answered' });
  expect(await ledger.reserve(fence, call(1))).toEqual({ kind: 'busy' });
  const next = ledger.openUnit(fence.unit, ledger.takeOver('a newer program'));
  expect(ledger.progress()).toMatchObject({ answered: 1, failedCalls: 1, lostCalls: 1, liveIntents: 0, spend: { estimatedUsd: 0.02 } });
  expect((await ledger.reserve(next, call(1))).kind).toBe('go');
  ledger.close();
  expect(openLedger(path).progress().liveIntents).toBe(1);
  expect(verifyLedger(path, false)).toMatchObject({ problems: [], replies: 1 });
});

test('an upgraded ledger has the tables and indexes of a new one', () => {
  const upgraded = oldLedger();
  openLedger(upgraded).close();
  const fresh = join(newFolder(), 'ledger.sqlite');
  newLedger(fresh).close();
  const tables = (path: string) => {
    const file = new DatabaseSync(path);
    const columns = 'select s.type, s.name, c.name as "column" from sqlite_schema s left join pragma_table_info(s.name) c order by 1, 2, 3';
    const rows = file.prepare(columns).all();
    file.close();
    return rows;
  };
  expect(tables(upgraded)).toEqual(tables(fresh));
});
