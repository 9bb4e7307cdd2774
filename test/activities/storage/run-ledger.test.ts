import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { CorruptionError } from '../../../domain/errors.ts';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { publishManifest, updateManifest } from '../../../activities/storage/manifest.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { putInput } from '../../../activities/storage/blobs/run-blobs.ts';
import { createRunFolder } from '../../../activities/storage/run-folder.ts';
import { openRunLedger } from '../../../activities/storage/run-ledger.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { newFolder } from './ledger/ledger-fixture.ts';
import { manifest } from './manifest-fixture.ts';

let folder = '';
const part = {
  table: 'loops',
  page: 'p',
  path: 'loops/p.parquet',
  rows: 1,
  bytes: 1,
  sha256: 'x',
  schemaVersion: 1,
  revision: 1,
};
const page = { page: 'p', study: 'loops', model: 'm', cells: 1, revision: 1 };
const remedy = 'restore ledger.sqlite and its -wal from a backup';

beforeEach(async () => {
  folder = join(newFolder(), 'r');
  await createRunFolder(folder, async (aside) => {
    const plan = {
      ...(await putInput(aside, '{}', 'json')),
      revision: 1,
      createdAt: manifest.createdAt,
      pages: 1,
      cells: 1,
    };
    return { ...manifest, plan: [plan] };
  });
});

const opened = async (): Promise<void> => (await openRunLedger(folder, await readManifest(folder))).close();

test.each([
  ['missing', (path: string) => rmSync(path), 'this file is missing'],
  ['empty', (path: string) => writeFileSync(path, ''), 'this file is empty'],
])('a ledger that is %s is refused by whoever opens it, and none is made in its place', async (_how, harm, got) => {
  harm(ledgerPath(folder));
  const files = readdirSync(folder);
  for (const open of [
    opened,
    async () => openLedger(ledgerPath(folder)),
    () => updateManifest(folderHome(folder), (old) => old),
  ]) {
    await expect(open()).rejects.toThrow(CorruptionError);
    await expect(open()).rejects.toThrow(`${ledgerPath(folder)}: a run must have a ledger, ${got}; ${remedy}`);
  }
  expect(readdirSync(folder)).toEqual(files);
});

test("an SQLite file without a ledger's tables gets none", async () => {
  rmSync(ledgerPath(folder));
  const other = new DatabaseSync(ledgerPath(folder));
  other.exec('pragma journal_mode = wal; create table t (x)');
  other.close();
  await expect(opened()).rejects.toThrow(/ledger.sqlite: .*this file has none; restore/);
});

test('an older ledger, without a published part, is refused', async () => {
  const older = readFileSync(ledgerPath(folder));
  const ledger = openLedger(ledgerPath(folder));
  await ledger.addPages([page]);
  mkdirSync(join(folder, 'loops'));
  writeFileSync(join(folder, part.path), 'x');
  await ledger.replaceParts(0, [part]);
  await opened();
  await publishManifest(folderHome(folder), ledger);
  await ledger.close();
  await opened();
  writeFileSync(ledgerPath(folder), older);
  await expect(opened()).rejects.toThrow(
    `${ledgerPath(folder)}: ${part.path} has SHA-256 x in the manifest, nothing in the ledger; ${remedy}`,
  );
});

test('a run killed before its pages were in the ledger continues; one that already had an owner does not', async () => {
  await opened();
  await (await ownerLock(folder).take())?.release();
  expect(existsSync(join(folder, 'owner.lock'))).toBe(true);
  await expect(opened()).rejects.toThrow(/the pages of its plan, this one has none; restore .*, or start another run/);
  // Red before: "is intact".
  expect((await verifyRun(folder)).problems).toEqual([expect.stringMatching(/its plan, this one has none; restore/)]);
  const ledger = openLedger(ledgerPath(folder));
  await ledger.addPages([page]);
  await ledger.close();
  await opened();
});

test.each([
  ['its head', 3, 'file is not a database'],
  ['the root of its tables', 100, 'database disk image is malformed'],
])('a ledger with a damaged byte in %s is named as what is damaged', async (_where, place, rule) => {
  const bytes = readFileSync(ledgerPath(folder));
  bytes[place] = (bytes[place] ?? 0) ^ 0xff;
  writeFileSync(ledgerPath(folder), bytes);
  await expect(opened()).rejects.toThrow(CorruptionError);
  await expect(opened()).rejects.toThrow(`${ledgerPath(folder)}: ${rule}; restore the run folder from a copy`);
});

// Red without `refuseWithoutLog`: SQLite sets the two bytes to 2 when the ledger is opened,
// before its seal is looked at.
test.each([18, 19])(
  'a ledger whose header says "no log" in byte %i is refused before any of its bytes changes',
  async (place) => {
    await opened();
    const bytes = readFileSync(ledgerPath(folder));
    bytes[place] = 1;
    writeFileSync(ledgerPath(folder), bytes);
    for (const open of [
      opened,
      async () => openLedger(ledgerPath(folder)),
      () => updateManifest(folderHome(folder), (old) => old),
    ])
      await expect(open()).rejects.toThrow(/ledger.sqlite: a ledger must be in WAL mode .* got \d and \d; restore/);
    expect(readFileSync(ledgerPath(folder)).equals(bytes)).toBe(true);
  },
);
