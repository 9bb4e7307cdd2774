import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { folderHome } from '../../../../activities/storage/home/folder-home.ts';
import { publishManifest, updateManifest } from '../../../../activities/storage/manifest.ts';
import { readManifest } from '../../../../activities/storage/manifest-file.ts';
import { ledgerPath } from '../../../../activities/storage/run-paths.ts';
import { encodeTable } from '../../../../activities/storage/parts/parquet.ts';
import { stagePart } from '../../../../activities/storage/parts/parts.ts';
import { pagePartStem } from '../../../../domain/part-paths.ts';
import { putInput } from '../../../../activities/storage/blobs/run-blobs.ts';
import { createRunFolder } from '../../../../activities/storage/run-folder.ts';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyRun } from '../../../../activities/storage/verify/verify.ts';
import type { VerifyProgress } from '../../../../activities/storage/verify/verify-progress.ts';
import { tables } from '../../../../schemas/tables.ts';
import type { Row } from '../../../../schemas/tables.ts';
import { sha256 } from '../../../../domain/ids.ts';
import { call, charge, newFolder, reply } from '../ledger/ledger-fixture.ts';
import { manifest } from '../manifest-fixture.ts';

const cells = 5;
const cellTables = { loops: ['loops'] };

const loopsRow = (task: number): Row => ({
  ...{
    run: 'r',
    study: 'loops',
    model: 'org/m',
    benchmark: 'mbpp',
    task_id: `MBPP/${task}`,
    language: 'python',
    variant: 'original',
  },
  ...{ setting: 'default', repetition: 0, sustained_loops: 0, ended_by: 'code_failed', ended_outcome: 'exception' },
  ...{ similarity: null, similarity_reason: 'no summary', simulated: true },
});

/** A run with two sealed pages, a reply in each, and one input. */
async function newRun(rowsOf: (page: number) => readonly Row[]): Promise<string> {
  const folder = join(newFolder(), 'r');
  await createRunFolder(folder, async (aside) => ({
    ...manifest,
    replays: { m: await putInput(aside, 'a recording\n'.repeat(20), 'jsonl') },
  }));
  const ledger = openLedger(ledgerPath(folder));
  const epoch = await ledger.takeOver('test');
  for (const number of [0, 1]) {
    const page = `loops/m/r1p${number}`;
    await ledger.addPages([{ page, study: 'loops', model: 'org/m', cells, revision: 1 }]);
    const fence = await ledger.openUnit(`${page}/generate`, epoch);
    const wanted = call(number);
    const reservation = await ledger.reserve(fence, { ...wanted, key: { ...wanted.key, page } });
    if (reservation.kind === 'go')
      await ledger.commit(reservation.intent, [reply('def f(): pass\n'.repeat(9))], charge(0), 1);
    const stem = pagePartStem('loops', 'loops', 'org/m', `r1p${number}`);
    const rows = rowsOf(number);
    const part = stagePart(
      folder,
      stem,
      { table: 'loops', page, schemaVersion: 1, revision: 1 },
      rows.length,
      encodeTable(tables.loops, rows),
    );
    await part.durable;
    await ledger.sealPage(fence, page, [part.record]);
    part.publish();
  }
  await publishManifest(folderHome(folder), ledger);
  await ledger.close();
  return folder;
}

const ownRows = (page: number): Row[] => Array.from({ length: cells }, (_, task) => loopsRow(page * cells + task));

/** Inverts one bit of the byte at a fraction of the file's length. */
function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  const index = Math.floor(at * bytes.length);
  bytes[index] = (bytes[index] ?? 0) ^ (1 << randomInt(8));
  writeFileSync(path, bytes);
}

let folder = '';
beforeEach(async () => {
  folder = await newRun(ownRows);
});

test('an undamaged run is found in order, with all there is to check', async () => {
  const told: VerifyProgress[] = [];
  expect(await verifyRun(folder, cellTables, (progress) => told.push(progress))).toMatchObject({
    ok: true,
    problems: [],
    strays: [],
    checked: { parts: 2, inputs: 1, replies: 2, rows: 10 },
  });
  // Two tables and an input; the ledger's bodies are some of its bytes.
  expect(told.map(({ files, allFiles }) => [files, allFiles]).slice(0, 3)).toEqual([1, 2, 3].map((one) => [one, 3]));
  expect(told.at(-1)?.bytes).toBeGreaterThan(told[2]?.bytes ?? Infinity);
  expect(told.at(-1)?.bytes).toBeLessThanOrEqual(told[0]?.allBytes ?? 0);
});

test.each(['part', 'input'] as const)('a changed byte anywhere in a %s is found', async (kind) => {
  const { parts, replays } = await readManifest(folder);
  const file = kind === 'part' ? parts[1]?.path : replays['m']?.file;
  const path = join(folder, file ?? '');
  const whole = readFileSync(path);
  for (const at of [0, randomInt(2 ** 31) / 2 ** 31, randomInt(2 ** 31) / 2 ** 31, 1 - 1e-9]) {
    flipByte(path, at);
    const report = await verifyRun(folder);
    expect(report.problems, `byte at ${at} of the file`).toHaveLength(1);
    expect(report.problems[0]).toMatch(new RegExp(`^${file}.* has SHA-256`));
    writeFileSync(path, whole);
  }
  expect((await verifyRun(folder)).ok).toBe(true);
});

test('a changed byte anywhere in a stored reply is found', async () => {
  const database = new DatabaseSync(ledgerPath(folder));
  const whole = database.prepare('select body from reply order by call limit 1').get()?.['body'] as Uint8Array;
  const write = database.prepare('update reply set body = ? where call = (select min(call) from reply)');
  for (const index of [0, randomInt(whole.length), randomInt(whole.length), whole.length - 1]) {
    const damaged = Uint8Array.from(whole, (byte, at) => (at === index ? byte ^ (1 << randomInt(8)) : byte));
    write.run(damaged);
    expect((await verifyRun(folder)).problems).toEqual([
      expect.stringMatching(/^ledger: reply [0-9a-f]{64} does not match its SHA-256$/),
    ]);
  }
  database.close();
});

test('a changed byte in the ledger file where a reply lies is found', async () => {
  const bytes = readFileSync(ledgerPath(folder));
  const database = new DatabaseSync(ledgerPath(folder), { readOnly: true });
  const body = Buffer.from(database.prepare('select body from reply limit 1').get()?.['body'] as Uint8Array);
  database.close();
  const start = bytes.indexOf(body);
  expect(start).toBeGreaterThan(0);
  const index = start + randomInt(body.length);
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  writeFileSync(ledgerPath(folder), bytes);
  expect((await verifyRun(folder)).ok).toBe(false);
});

test('a missing part, a missing input and a ledger that is no database are problems, not errors', async () => {
  const { parts, replays } = await readManifest(folder);
  rmSync(join(folder, parts[0]?.path ?? ''));
  rmSync(join(folder, replays['m']?.file ?? ''));
  writeFileSync(ledgerPath(folder), 'not a database, though long enough to be taken for one by nobody'.repeat(20));
  const { ok, problems } = await verifyRun(folder);
  expect(ok).toBe(false);
  expect(problems).toEqual(
    expect.arrayContaining([
      `${parts[0]?.path} is missing`,
      `${replays['m']?.file} is missing`,
      expect.stringMatching(/ledger.sqlite cannot be read/),
    ]),
  );
});

// Red before: "remove it, then verify --repair", which rebuilds tables only.
test('a folder in the place of an input is to be restored from a copy, in that of a table to be rebuilt', async () => {
  const { parts, replays } = await readManifest(folder);
  const [part, input] = [parts[0]?.path ?? '', replays['m']?.file ?? ''];
  for (const file of [part, input]) {
    rmSync(join(folder, file));
    mkdirSync(join(folder, file));
  }
  const noFile = 'is a folder, a pipe or a device, not a file';
  expect((await verifyRun(folder)).problems).toEqual([
    `${part} ${noFile}: remove it, then verify --repair`,
    `${input} ${noFile}: remove it, then restore the file from a copy, since it cannot be rebuilt`,
  ]);
});

test('a manifest that cannot be read is one problem', async () => {
  writeFileSync(join(folder, 'manifest.json'), '{');
  expect(await verifyRun(folder)).toMatchObject({
    ok: false,
    problems: [expect.stringContaining('a manifest must be JSON')],
  });
});

test('row keys that occur twice are found', async () => {
  const doubled = await newRun(() => ownRows(0));
  expect((await verifyRun(doubled)).problems).toEqual([
    expect.stringMatching(/^table loops: 5 duplicate keys \(run, study, .*\)$/),
  ]);
});

test('a page with fewer rows than the plan has cells is found', async () => {
  const short = await newRun((page) => ownRows(page).slice(page));
  expect((await verifyRun(short, cellTables)).problems).toEqual([
    'page loops/m/r1p1 has 5 cells in the plan, 4 rows in loops',
  ]);
  expect((await verifyRun(short)).ok).toBe(true);
});

test('a manifest that says other row counts or hashes than files and ledger is found', async () => {
  await updateManifest(folderHome(folder), (old) => ({
    ...old,
    parts: old.parts.map((part, index) => (index === 0 ? { ...part, rows: 6 } : part)),
  }));
  expect((await verifyRun(folder)).problems).toEqual([expect.stringMatching(/has 5 rows, the manifest says 6$/)]);
});

test('files that are not listed are reported as strays and do no harm', async () => {
  writeFileSync(join(folder, 'loops', 'leftover.parquet'), 'x');
  writeFileSync(join(folder, 'loops', 'p.r1.parquet.77-1.tmp'), 'x');
  expect(await verifyRun(folder)).toMatchObject({
    ok: true,
    strays: ['loops/leftover.parquet', 'loops/p.r1.parquet.77-1.tmp'],
  });
});

// Red before: it was called harmless, and the run was damaged without it.
test('an input that is Parquet, as of a rescored run, is no stray', async () => {
  const bytes = 'rows of the run that was judged again';
  mkdirSync(join(folder, 'inputs'), { recursive: true });
  writeFileSync(join(folder, 'inputs', `${sha256(bytes)}.parquet`), bytes);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, strays: [] });
});

test('flipped bits in any file or the manifest, cut and deleted files are found; others are strays', async () => {
  const { parts, replays } = await readManifest(folder);
  for (const file of ['manifest.json', ...parts.map(({ path }) => path), replays['m']?.file ?? '']) {
    const path = join(folder, file);
    const whole = readFileSync(path);
    const damages: readonly (readonly [string, () => void])[] = [
      ...Array.from({ length: 12 }, () => randomInt(2 ** 31) / 2 ** 31).map(
        (at) => [`bit at ${at}`, () => flipByte(path, at)] as const,
      ),
      ['cut off', () => writeFileSync(path, whole.subarray(0, -1))],
      ['a byte more', () => writeFileSync(path, Buffer.concat([whole, Buffer.from('\n')]))],
      ['deleted', () => rmSync(path)],
    ];
    for (const [name, damage] of damages) {
      damage();
      const { ok, problems } = await verifyRun(folder, cellTables);
      // A changed path in the manifest shows as a missing file before anything else.
      expect({ name, ok, named: problems.some((problem) => problem.includes(file)) }).toEqual({
        name,
        ok: false,
        named: true,
      });
      writeFileSync(path, whole);
    }
  }
  writeFileSync(join(folder, 'loops/one-too-many.parquet'), 'x');
  expect(await verifyRun(folder, cellTables)).toMatchObject({ ok: true, strays: ['loops/one-too-many.parquet'] });
});
