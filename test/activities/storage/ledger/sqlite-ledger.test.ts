import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../../../activities/storage/ledger/sqlite/ledger-database.ts';
import type { Fence } from '../../../../activities/storage/ledger/fence.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { call, charge, go, keyOf, newFolder, newLedger, page, reply, verdict } from './ledger-fixture.ts';

const unit = `${page}/generate`;

async function started(ledger: Ledger): Promise<{ ledger: Ledger; fence: Fence }> {
  return { ledger, fence: await ledger.openUnit(unit, await ledger.takeOver('test')) };
}

test('a changed byte in a stored reply is found when it is read', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(await newLedger(path));
  await ledger.commit(await go(ledger, fence, call(0)), [reply('the truth')], charge(0.01), 1);
  const vandal = new DatabaseSync(path);
  const body = vandal.prepare('select body from reply').get()?.['body'] as Uint8Array;
  body[body.length - 1] = (body.at(-1) ?? 0) ^ 1;
  vandal.prepare('update reply set body = ?').run(body);
  vandal.close();
  await expect(ledger.samples(page)).rejects.toThrow(
    new RegExp(`reply to call ${keyOf(0)}: its stored bytes do not match their SHA-256`),
  );
});

// Red when a verdict is stored with what it shares with others.
test('verdicts of one sandbox keep its limits and image once, and those of another by themselves', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const ledger = await newLedger(path);
  const verdicts = [1, 2, 3].map((name) => ({ ...verdict('wrong'), executionKey: keyOf(name) }));
  const elsewhere = { ...verdict('wrong'), executionKey: keyOf(4), imageDigest: 'e'.repeat(64) };
  for (const one of [...verdicts, elsewhere]) await ledger.saveVerdict(one);
  await ledger.close();
  const file = new DatabaseSync(path);
  expect(file.prepare('select count(*) as n from verdict_shared').get()).toEqual({ n: 2 });
  const shared = `select count(*) as n from verdict where instr(body, '${elsewhere.imageDigest}') > 0`;
  expect(file.prepare(shared).get()).toEqual({ n: 0 });
  file.close();
  const again = openLedger(path);
  for (const one of [...verdicts, elsewhere]) expect(await again.verdict(one.executionKey)).toEqual(one);
});

test('the file itself takes no two live intents for one sample', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(await newLedger(path));
  const intent = await go(ledger, fence, call(0, { callKeys: [keyOf('a'), keyOf('b')] }));
  const file = new DatabaseSync(path);
  expect(() => file.exec(`insert into asked select ${intent + 1}, place, call, 1 from asked where place = 1`)).toThrow(
    /UNIQUE/,
  );
  file.close();
});

test('closing a ledger first writes what still waits', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  const { ledger, fence } = await started(await newLedger(path));
  const waiting = ledger.reserve(fence, call(0));
  await ledger.close();
  expect((await waiting).kind).toBe('go');
  const again = openLedger(path);
  expect((await again.progress()).liveIntents).toBe(1);
});

test('a ledger of a newer format is refused, with the command that updates the program', async () => {
  const path = join(newFolder(), 'ledger.sqlite');
  await (await newLedger(path)).close();
  const newer = new DatabaseSync(path);
  newer.exec("update meta set value = '6' where name = 'format'");
  newer.close();
  expect(() => openLedger(path)).toThrow(/ledger format 6; this program reads format 5: update it \(npm install/);
});

// Red when `pragma synchronous = full` is removed from ledger-database.ts and SQLite's default is another; see also
// ledger-durability.test.ts.
test('the connection writes ahead and waits for the disk', () => {
  const db = openDatabase(join(newFolder(), 'ledger.sqlite'));
  expect(db.sql('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
  expect(db.sql('pragma synchronous').get()).toEqual({ synchronous: 2 });
  db.close();
});
