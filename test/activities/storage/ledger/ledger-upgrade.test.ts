/**
 * A ledger that an older program wrote, as it wrote it: a failed call, an answered one,
 * and one that was under way when it was left.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { VerdictRecord } from '../../../../activities/storage/ledger/records.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { readDoubtfulManifest, readManifest, writeManifest } from '../../../../activities/storage/manifest-file.ts';
import { verifyLedger } from '../../../../activities/storage/verify/verify-ledger.ts';
import { call, keyOf, newFolder, newLedger, page, reply } from './ledger-fixture.ts';
import { manifest } from '../manifest-fixture.ts';

function oldLedger(format = 1): string {
  const path = join(newFolder(), 'ledger.sqlite');
  const file = new DatabaseSync(path);
  file.exec(readFileSync(new URL(`ledger-format-${format}.sql`, import.meta.url), 'utf8'));
  file.close();
  return path;
}

test('a ledger of format 1 is usable: replies are found, calls are shown, and its open call is lost', async () => {
  const path = oldLedger();
  expect(verifyLedger(path, false)).toMatchObject({ problems: [], replies: 1 });
  const ledger = openLedger(path);
  expect(await ledger.samples(page)).toEqual([
    { key: call(0).key, callKey: keyOf(0), reply: reply('kept'), origin: null },
  ]);
  expect(
    (await ledger.records(page)).calls.map(({ intent, callKey, n, status, used }) => [
      intent,
      callKey,
      n,
      status,
      used,
    ]),
  ).toEqual([
    [1, keyOf(0), 1, 'failed', false],
    [2, keyOf(0), 1, 'answered', true],
  ]);
  const fence = { unit: `${page}/generate`, epoch: 1, attempt: 1 };
  expect(await ledger.reserve(fence, call(0))).toMatchObject({ kind: 'answered' });
  expect(await ledger.reserve(fence, call(1))).toEqual({ kind: 'busy' });
  const next = await ledger.openUnit(fence.unit, await ledger.takeOver('a newer program'));
  expect(await ledger.progress()).toMatchObject({
    answered: 1,
    failedCalls: 1,
    lostCalls: 1,
    liveIntents: 0,
    spend: { estimatedUsd: 0.02 },
  });
  expect((await ledger.reserve(next, call(1))).kind).toBe('go');
  await ledger.close();
  expect((await openLedger(path).progress()).liveIntents).toBe(1);
  expect(verifyLedger(path, false)).toMatchObject({ problems: [], replies: 1 });
});

const verdict: VerdictRecord = {
  executionKey: 'a'.repeat(64),
  ...{ programSha256: 'b'.repeat(64), suite: 'base', outcome: 'wrong_output', firstFailingCase: 2 },
  ...{ detail: 'expected 1, got 2', wallMs: 1.5, cpuMs: null, memoryBytes: 0, tier: 'embedded', lane: 'isolated' },
  ...{ engine: 'pyodide', imageDigest: 'c'.repeat(64), limits: '{}' },
};

test('a ledger of format 3 is usable: its reply and verdict are read, and new ones stand beside them', async () => {
  const path = oldLedger(3);
  const ledger = openLedger(path);
  expect((await ledger.reply(keyOf(0)))?.reply).toEqual({ ...reply('kept'), backend: 'somewhere' });
  expect(await ledger.verdict(verdict.executionKey)).toEqual(verdict);
  expect(await ledger.saveVerdict({ ...verdict, detail: 'another' })).toEqual(verdict);
  const later = { ...verdict, executionKey: 'd'.repeat(64), reused: true } satisfies VerdictRecord;
  await ledger.saveVerdict(later);
  await ledger.close();
  expect(await openLedger(path).verdict(later.executionKey)).toEqual(later);
  expect(verifyLedger(path, false)).toMatchObject({ problems: [], replies: 1 });
});

test('an upgraded ledger has the tables and indexes of a new one', async () => {
  const upgraded = oldLedger();
  await openLedger(upgraded).close();
  const fresh = join(newFolder(), 'ledger.sqlite');
  await (await newLedger(fresh)).close();
  const tables = (path: string) => {
    const file = new DatabaseSync(path);
    const columns =
      'select s.type, s.name, c.name as "column" from sqlite_schema s left join ' +
      'pragma_table_info(s.name) c order by 1, 2, 3';
    const rows = file.prepare(columns).all();
    file.close();
    return rows;
  };
  expect(tables(upgraded)).toEqual(tables(fresh));
});

/** A finished run of the older program. */
function oldSealedLedger(): string {
  const path = oldLedger();
  const file = new DatabaseSync(path);
  file.exec('pragma journal_mode = wal');
  file.close();
  const sha256 = createHash('sha256').update(readFileSync(path)).digest('hex');
  writeManifest(dirname(path), {
    ...manifest,
    state: 'complete',
    seals: { 'ledger.sqlite': sha256, 'report.html': 'f'.repeat(64) },
  });
  return path;
}

test('a sealed ledger of format 1 loses its seal only when it is upgraded to the newest format', async () => {
  const path = oldSealedLedger();
  await openLedger(path).close();
  expect((await readManifest(dirname(path))).seals).toEqual({ 'ledger.sqlite': null, 'report.html': 'f'.repeat(64) });
  expect((await readDoubtfulManifest(dirname(path))).isWhole).toBe(true);
});

test('a sealed ledger of format 1 that does not have its seal is refused as it is', async () => {
  const path = oldSealedLedger();
  const bytes = readFileSync(path);
  // The version of SQLite that wrote it last: no table shows it.
  bytes[99] = (bytes[99] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect(() => openLedger(path)).toThrow(/ledger\.sqlite: has SHA-256/);
  expect(verifyLedger(path, true)).toMatchObject({ problems: [], replies: 1 });
  expect((await readManifest(dirname(path))).seals?.['ledger.sqlite']).toMatch(/^[0-9a-f]{64}$/);
});
