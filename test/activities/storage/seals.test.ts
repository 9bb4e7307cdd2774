import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { beforeEach, expect, test } from 'vitest';
import { checkReusedRuns } from '../../../activities/runs/reused-runs.ts';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import { setRunState, updateManifest } from '../../../activities/storage/manifest.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import { putInput } from '../../../activities/storage/blobs/run-blobs.ts';
import { createRunFolder } from '../../../activities/storage/run-folder.ts';
import { sealLedger, unsealLedger, writeSealed } from '../../../activities/storage/seals.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { verifyRun } from '../../../activities/storage/verify/verify.ts';
import { call, charge, newFolder, reply } from './ledger/ledger-fixture.ts';
import { manifest } from './manifest-fixture.ts';

let folder = '';

/** A run that has ended: a reply, an input, a report. */
beforeEach(async () => {
  folder = join(newFolder(), 'r');
  await createRunFolder(folder, async (aside) => ({
    ...manifest,
    replays: { m: await putInput(aside, 'a recording\n'.repeat(20), 'jsonl') },
  }));
  const ledger = openLedger(ledgerPath(folder));
  const epoch = await ledger.takeOver('test');
  await ledger.addPages([{ page: 'p', study: 'loops', model: 'm', cells: 1, revision: 1 }]);
  const wanted = call(0);
  const reservation = await ledger.reserve(await ledger.openUnit('p/generate', epoch), {
    ...wanted,
    key: { ...wanted.key, page: 'p' },
  });
  if (reservation.kind === 'go')
    await ledger.commit(reservation.intent, [reply('def f(): pass\n'.repeat(9))], charge(0), 1);
  await ledger.close();
  await setRunState(folderHome(folder), 'complete', null);
  await writeSealed(folder, join(folder, 'report.html'), '<!doctype html>'.repeat(100));
  await sealLedger(folder);
});

const problemsOf = async (): Promise<readonly string[]> => (await verifyRun(folder)).problems;

test('a changed byte is found in any file of a run that has ended, wherever it lies', async () => {
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true, problems: [] });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size > 0);
  expect(files.map((file) => file.split('/').at(-1))).toEqual(
    expect.arrayContaining(['ledger.sqlite', 'manifest.json', 'report.html']),
  );
  for (const file of files) {
    const whole = readFileSync(file);
    const places = [0, whole.length - 1, ...Array.from({ length: 24 }, () => randomInt(whole.length))];
    for (const place of places) {
      const damaged = Buffer.from(whole);
      damaged[place] = (damaged[place] ?? 0) ^ (1 << randomInt(8));
      writeFileSync(file, damaged);
      expect(await problemsOf(), `byte ${place} of ${file}`).not.toEqual([]);
    }
    writeFileSync(file, whole);
  }
  expect(await problemsOf()).toEqual([]);
});

test('a ledger that was changed by hand gets no new seal', async () => {
  const database = new DatabaseSync(ledgerPath(folder));
  database.exec('update charge set usd = 1000');
  database.close();
  await sealLedger(folder);
  expect(await problemsOf()).toContainEqual(expect.stringContaining('ledger.sqlite has SHA-256'));
});

test('a change by hand that is still in the log is found too', async () => {
  const aside = join(newFolder(), 'aside.sqlite');
  copyFileSync(ledgerPath(folder), aside);
  const database = new DatabaseSync(aside);
  database.exec('update charge set usd = 1000');
  copyFileSync(`${aside}-wal`, `${ledgerPath(folder)}-wal`);
  database.close();
  expect(await problemsOf()).toContainEqual(expect.stringMatching(/^ledger.sqlite has a log \(-wal\) of \d+ bytes/));
  await expect(unsealLedger(folder)).rejects.toThrow(/a log/);
  const before = readFileSync(ledgerPath(folder));
  expect(() => openLedger(ledgerPath(folder))).toThrow(/its seal was taken without a log, and now there is one/);
  expect(readFileSync(ledgerPath(folder))).toEqual(before);
});

// Red before: all answers were asked for, and paid, again without a word.
test('a run takes no answers over from one whose ledger is damaged', async () => {
  const file = { spec: { ...manifest.spec, reuse: ['r'] }, text: 'reuse: [r]\n', path: 'spec.yaml', folder };
  const check = (): Promise<void> => checkReusedRuns(dirname(folder), 'other', file);
  await check();
  const bytes = readFileSync(ledgerPath(folder));
  bytes[bytes.length - 5_000] = (bytes[bytes.length - 5_000] ?? 0) ^ 1;
  writeFileSync(ledgerPath(folder), bytes);
  await expect(check()).rejects.toThrow(
    /^spec\.yaml:1:9 {2}reuse\.0: run "r" is damaged, so that its answers would be paid for again: .*has SHA-256/,
  );
});

// Red before: it has none of its own, so all were asked for, and paid, without a word.
test('a run takes no answers over from one that judges those of another run again', async () => {
  const rescored = { run: 'between', uuid: 'b', asked: { run: 'nightly', uuid: 'n' }, extraction: 'own' };
  await updateManifest(folderHome(folder), (old) => ({ ...old, rescored }));
  const file = { spec: { ...manifest.spec, reuse: ['r'] }, text: 'reuse: [r]\n', path: 'spec.yaml', folder };
  await expect(checkReusedRuns(dirname(folder), 'other', file)).rejects.toThrow(
    /^spec\.yaml:1:9 {2}reuse\.0: run "r" asked nothing: it judges answers of another run again; name "nightly"/,
  );
});

test('reading a run leaves its seal intact', async () => {
  for (let look = 0; look < 3; look += 1) {
    const ledger = openLedger(ledgerPath(folder));
    await ledger.addPages([{ page: 'p', study: 'loops', model: 'm', cells: 1, revision: 1 }]);
    await ledger.setBudget({ usd: null, tokens: null });
    await ledger.progress();
    await ledger.close();
    await updateManifest(folderHome(folder), (old) => ({ ...old, specFile: 'other.yaml' }));
  }
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
});

test('a running run has no seal, and gets one when it has ended again', async () => {
  await setRunState(folderHome(folder), 'running', null);
  const ledger = openLedger(ledgerPath(folder));
  await ledger.takeOver('another');
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: false });
  await setRunState(folderHome(folder), 'incomplete', 'paused');
  await ledger.close();
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
});

test('while another process has the ledger open, what it wrote is sealed too', async () => {
  const other = openLedger(ledgerPath(folder));
  await unsealLedger(folder);
  await other.setStop('m', 'paused', 'by hand');
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  await other.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
});

test('a process killed between change and seal leaves no wrong seal', async () => {
  await unsealLedger(folder);
  const ledger = openLedger(ledgerPath(folder));
  await ledger.setStop(null, 'paused', 'by hand');
  await ledger.close();
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: false });
});

test("an answer that arrives after the run's end removes the seal, and the next seal covers it", async () => {
  await setRunState(folderHome(folder), 'running', null);
  const late = openLedger(ledgerPath(folder));
  const wanted = { ...call(1), key: { ...call(1).key, page: 'p' } };
  const reservation = await late.reserve(await late.openUnit('p/generate', await late.takeOver('another')), wanted);
  await setRunState(folderHome(folder), 'incomplete', 'cancelled');
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  if (reservation.kind === 'go') await late.commit(reservation.intent, [reply('def f(): return 1\n')], charge(1), 1);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: false, problems: [] });
  await late.close();
  await sealLedger(folder);
  expect(await verifyRun(folder)).toMatchObject({ ok: true, sealed: true });
  await unsealLedger(folder);
});

// Red without the lock around both: one writes between the other's bytes and its seal.
// The seal is a file's, whichever was last.
test('reports that are written at once, by several processes, leave the seal of the bytes that are there', async () => {
  const seals = JSON.stringify(fileURLToPath(new URL('../../../activities/storage/seals.ts', import.meta.url)));
  const script = `import { writeSealed } from ${seals};
    const [folder, name, startMs] = process.argv.slice(1);
    while (Date.now() < Number(startMs));
    for (let index = 0; index < 20; index += 1)
      await writeSealed(folder, folder + '/report.html', (name + index).repeat(1 + index * 1000));`;
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, folder];
  const startMs = String(Date.now() + 1_000);
  await Promise.all(['a', 'b', 'c'].map((name) => promisify(execFile)(process.execPath, [...options, name, startMs])));
  expect((await readManifest(folder)).seals).toHaveProperty('report.html', expect.stringMatching(/^[0-9a-f]{64}$/));
  expect(await problemsOf()).toEqual([]);
});

// Red before: only that it has another SHA-256, and `verify --repair` leaves it.
test('a damaged report is named with the command that writes it again', async () => {
  writeFileSync(join(folder, 'report.html'), 'x');
  const [found] = await problemsOf();
  expect(found).toMatch(
    /^report\.html has SHA-256 [0-9a-f]{64}, not [0-9a-f]{64}: `evenkeel report r` writes it again$/,
  );
  rmSync(join(folder, 'report.html'));
  await writeSealed(folder, join(folder, 'report.md'), '# r');
  await writeSealed(folder, join(folder, 'mine.html'), '<p>');
  for (const name of ['report.md', 'mine.html']) writeFileSync(join(folder, name), 'x');
  expect(await problemsOf()).toEqual([
    expect.stringMatching(/^report\.md .*: `evenkeel report r --format md` writes it again$/),
    expect.stringMatching(/^mine\.html .*: `evenkeel report` with `--out` of this file writes it again$/),
  ]);
});

test('a deleted report does not count as damage', async () => {
  rmSync(join(folder, 'report.html'));
  expect(await problemsOf()).toEqual([]);
});

// Red before: `updatedAt` was another, so an unpacked archive no longer had its checksums.
test('a file that has these bytes and its seal is not written again; a changed or unsealed one is', async () => {
  const report = join(folder, 'report.html');
  const text = readFileSync(report, 'utf8');
  const files = (): unknown[] =>
    [report, join(folder, 'manifest.json')].map((file) => [readFileSync(file, 'utf8'), statSync(file).ino]);
  const before = files();
  await writeSealed(folder, report, text);
  expect(files()).toEqual(before);
  writeFileSync(report, 'damaged');
  await writeSealed(folder, report, text);
  expect(readFileSync(report, 'utf8')).toBe(text);
  await updateManifest(folderHome(folder), (old) => ({ ...old, seals: { ...old.seals, 'report.html': null } }));
  await writeSealed(folder, report, text);
  expect((await readManifest(folder)).seals?.['report.html']).toMatch(/^[0-9a-f]{64}$/);
  expect(await problemsOf()).toEqual([]);
});
