/** A manifest of many parts: a small root, and segments that never change. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { lockedManifest, readManifest, writeManifest } from '../../../activities/storage/manifest-file.ts';
import { publishChange, updateManifest } from '../../../activities/storage/manifest.ts';
import { removeOrphans } from '../../../activities/storage/parts/settle-parts.ts';
import { createRunFolder } from '../../../activities/storage/run-folder.ts';
import { ledgerPath, manifestPath } from '../../../activities/storage/run-paths.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import type { Manifest, ManifestFile } from '../../../schemas/manifest.ts';
import { newFolder } from './ledger/ledger-fixture.ts';
import { manifest } from './manifest-fixture.ts';

type Part = Manifest['parts'][number];

const part = (place: number, more: Partial<Part> = {}): Part => ({
  ...{ path: `loops/p${place}.r1.parquet`, table: 'loops', page: `s/m/r1p${place}`, rows: 1, bytes: 1 },
  ...{ sha256: String(place).padStart(64, '0'), schemaVersion: 1, revision: 1 },
  ...more,
});
const parts = (from: number, to: number): Part[] => Array.from({ length: to - from }, (_, place) => part(from + place));

async function runWith(some: readonly Part[]): Promise<string> {
  const folder = join(newFolder(), 'run');
  await createRunFolder(folder, async () => ({ ...manifest, parts: [...some] }));
  return folder;
}

const rootOf = (folder: string): ManifestFile => JSON.parse(readFileSync(manifestPath(folder), 'utf8')) as ManifestFile;
const segmentFiles = (folder: string): string[] =>
  existsSync(join(folder, 'segments')) ? readdirSync(join(folder, 'segments')).toSorted() : [];
const inOrder = (some: readonly Part[]): Part[] => some.toSorted((a, b) => (a.path < b.path ? -1 : 1));

/** The manifest as a process reads it that has not read it before. */
async function readByAnother(folder: string): Promise<Manifest> {
  vi.resetModules();
  const other = await import('../../../activities/storage/manifest-file.ts');
  return other.readManifest(folder);
}

test('a thousand parts are in one file as before; more are in segments of a thousand and a root', async () => {
  const folder = await runWith(parts(0, 1_000));
  expect([rootOf(folder).formatVersion, rootOf(folder).segments, segmentFiles(folder)]).toEqual([1, undefined, []]);
  await updateManifest(folderHome(folder), (old) => ({ ...old, parts: parts(0, 2_500) }));
  const root = rootOf(folder);
  expect([root.formatVersion, root.segments?.map((one) => one.parts), root.parts.length]).toEqual([
    2,
    [1_000, 1_000],
    500,
  ]);
  expect(segmentFiles(folder)).toEqual(root.segments?.map(({ file }) => file.slice('segments/'.length)).toSorted());
  for (const read of [await readManifest(folder), lockedManifest(folder), await readByAnother(folder)])
    expect([read.formatVersion, inOrder(read.parts)]).toEqual([1, inOrder(parts(0, 2_500))]);
});

// Red when the whole manifest is written for each publication: its bytes grow with the run.
test('publishing writes as much at twenty thousand parts as at two thousand', async () => {
  const grown = async (count: number): Promise<number> => {
    const folder = await runWith(parts(0, count));
    const before = segmentFiles(folder);
    await updateManifest(folderHome(folder), (old) => ({ ...old, parts: [...old.parts, part(count)] }));
    expect(segmentFiles(folder)).toEqual(before);
    expect((await readManifest(folder)).parts.length).toBe(count + 1);
    return readFileSync(manifestPath(folder)).length;
  };
  expect((await grown(20_500)) / (await grown(2_500))).toBeLessThan(1.05);
});

test('a segment goes with its first part that no longer counts, and others stay; a few parts need none', async () => {
  const folder = await runWith(parts(0, 3_100));
  const before = rootOf(folder).segments?.map(({ file }) => file) ?? [];
  const spent = new Set(parts(5, 500).map(({ path }) => path));
  await updateManifest(folderHome(folder), (old) => ({
    ...old,
    parts: old.parts.filter(({ path }) => !spent.has(path)),
  }));
  const after = rootOf(folder).segments?.map(({ file }) => file) ?? [];
  expect([before.length, after.length, after.filter((file) => before.includes(file)).length]).toEqual([3, 2, 2]);
  expect(segmentFiles(folder).length).toBe(2);
  expect((await readByAnother(folder)).parts.length).toBe(3_100 - 495);
  await updateManifest(folderHome(folder), (old) => ({ ...old, parts: old.parts.slice(0, 10) }));
  expect([rootOf(folder).formatVersion, segmentFiles(folder)]).toEqual([1, []]);
});

test('merged parts, which list their pages, go into segments first', async () => {
  const pages = Object.fromEntries(Array.from({ length: 64 }, (_, place) => [`s/m/r1p${place}`, 1]));
  const merged = Array.from({ length: 150 }, (_, place) => part(10_000 + place, { pages }));
  const folder = await runWith([...parts(0, 300), ...merged]);
  const root = rootOf(folder);
  // Each weighs as nine parts: 112 of them are a thousand.
  expect([root.segments?.map((one) => one.parts), root.parts.length]).toEqual([[112], 338]);
  expect(root.parts.filter((one) => one.pages === undefined).length).toBe(300);
  expect((await readByAnother(folder)).parts.find(({ path }) => path === merged[0]?.path)?.pages).toEqual(pages);
});

test('a part that is changed in place is written, although a segment has its name', async () => {
  const folder = await runWith(parts(0, 1_500));
  await updateManifest(folderHome(folder), (old) => ({
    ...old,
    parts: old.parts.map((one) => (one.path === part(3).path ? { ...one, rows: 7 } : one)),
  }));
  expect((await readByAnother(folder)).parts.find(({ path }) => path === part(3).path)?.rows).toBe(7);
});

test('a damaged or missing segment is named, by verify also where this process has read it before', async () => {
  const folder = await runWith(parts(0, 1_500));
  const [segment] = rootOf(folder).segments ?? [];
  const file = join(folder, segment?.file ?? '');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('p7.', 'p8.'));
  await expect(readByAnother(folder)).rejects.toThrow(/segments\/[0-9a-f]{12}\.json: its SHA-256 is not [0-9a-f]{64}/);
  expect((await verifyRun(folder)).problems).toEqual([expect.stringContaining(`${segment?.file}: its SHA-256`)]);
  rmSync(file);
  await expect(readByAnother(folder)).rejects.toThrow('.json: the manifest lists this file, but it is missing');
  vi.resetModules();
  const { lockedManifest: lockedByAnother } = await import('../../../activities/storage/manifest-file.ts');
  expect(() => lockedByAnother(folder)).toThrow('but it is missing');
  const { readRunFolder } = await import('../../../analysis/run-folder.ts');
  await expect(readRunFolder(folder)).rejects.toThrow('but it is missing');
  expect((await verifyRun(folder)).problems).toEqual([expect.stringContaining(segment?.file ?? '')]);
});

test('a root that was changed where it names a segment is at fault itself', async () => {
  const folder = await runWith(parts(0, 1_500));
  const [segment] = rootOf(folder).segments ?? [];
  const hash = segment?.sha256 ?? '';
  const changed = `${hash.startsWith('0') ? '1' : '0'}${hash.slice(1)}`;
  writeFileSync(manifestPath(folder), readFileSync(manifestPath(folder), 'utf8').replace(hash, changed));
  expect((await verifyRun(folder)).problems).toEqual([
    expect.stringContaining('manifest.json: does not match its SHA-256'),
  ]);
});

test('segments that no root names are removed with other leftovers, and the others stay', async () => {
  const folder = await runWith(parts(0, 1_500));
  const named = segmentFiles(folder);
  for (const name of ['0123456789ab.json', 'abc.json.12-1.tmp']) writeFileSync(join(folder, 'segments', name), '[]');
  const ledger = openLedger(ledgerPath(folder));
  await removeOrphans(folder, ledger, []);
  await ledger.close();
  expect(segmentFiles(folder)).toEqual(named);
});

test('a change adds and removes its own parts, but none that another process has merged since', async () => {
  const folder = await runWith([part(1), part(2)]);
  const ledger = openLedger(ledgerPath(folder));
  await ledger.replaceParts(0, [part(1), part(2), part(3), part(4)]);
  await ledger.exchangeParts(0, [part(3)], [part(9)]);
  await publishChange(folderHome(folder), ledger, { added: [part(3), part(4)], removed: [part(1).path] });
  expect((await readManifest(folder)).parts).toEqual([part(2), part(4)]);
  await ledger.close();
});

test('a run folder that is made with segments is complete when it appears', async () => {
  const folder = newFolder();
  writeManifest(folder, { ...manifest, parts: parts(0, 1_001) });
  expect((await readByAnother(folder)).parts.length).toBe(1_001);
});
