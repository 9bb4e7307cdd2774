import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { CorruptionError } from '../../../domain/errors.ts';
import { folderHome } from '../../../activities/storage/home/folder-home.ts';
import type { PartRecord } from '../../../activities/storage/ledger/records.ts';
import { publishManifest, setRunState, updateManifest } from '../../../activities/storage/manifest.ts';
import { readRunFolder } from '../../../analysis/run-folder.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { manifestPath, ledgerPath } from '../../../activities/storage/run-paths.ts';
import { refuseNetworkFileSystem } from '../../../activities/storage/files/network-file-system.ts';
import { stagePart } from '../../../activities/storage/parts/parts.ts';
import { pagePartStem, runPartStem } from '../../../domain/part-paths.ts';
import { putInput, readInput, runBlobs } from '../../../activities/storage/blobs/run-blobs.ts';
import { createRunFolder } from '../../../activities/storage/run-folder.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { keyOf, newFolder } from './ledger/ledger-fixture.ts';
import { manifest } from './manifest-fixture.ts';

async function newRun(): Promise<string> {
  const folder = join(newFolder(), 'r');
  await createRunFolder(folder, async () => manifest);
  return folder;
}

const described = { table: 'loops', page: 'p', schemaVersion: 1, revision: 1 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a run folder is created complete: manifest, ledger and inputs', async () => {
  const folder = join(newFolder(), 'runs', 'r');
  const given = await createRunFolder(folder, async (aside) => ({
    ...manifest,
    replays: { m: await putInput(aside, '{"a":1}\n', 'jsonl') },
  }));
  expect(await readManifest(folder)).toEqual(given);
  expect(readdirSync(folder).sort()).toEqual(['inputs', 'ledger.sqlite', 'manifest.json']);
  expect(await readInput(runBlobs(folder), given.replays['m'] ?? { file: '', sha256: '' })).toBe('{"a":1}\n');
});

// Red before: 0700, so that nobody in the group could read a run.
test('a run folder has the permissions that the umask gives', async () => {
  const before = process.umask(0o027);
  try {
    expect(statSync(await newRun()).mode & 0o777).toBe(0o750);
  } finally {
    process.umask(before);
  }
});

test('a folder whose creation fails does not exist', async () => {
  const parent = newFolder();
  const failing = createRunFolder(join(parent, 'r'), async (aside) => {
    await putInput(aside, 'x', 'txt');
    throw new Error('no such benchmark');
  });
  await expect(failing).rejects.toThrow('no such benchmark');
  expect(readdirSync(parent)).toEqual([]);
});

test('of two processes that create a run folder at once, one is told that it exists', async () => {
  const folder = join(newFolder(), 'r');
  const made = await Promise.allSettled([
    createRunFolder(folder, async () => manifest),
    createRunFolder(folder, async () => manifest),
  ]);
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(made.find(({ status }) => status === 'rejected')).toMatchObject({
    // Red before: a stack trace, as of two `rescore`s at once.
    reason: { name: 'InputError', message: expect.stringContaining('already exists') },
  });
});

test('an input is stored under its hash, and a changed byte is detected when it is read', async () => {
  const folder = newFolder();
  const input = await putInput(runBlobs(folder), 'records', 'jsonl');
  // sha256sum of the seven bytes "records".
  expect(input).toEqual({ file: `inputs/${input.sha256}.jsonl`, sha256: keyOf('records') });
  expect(await putInput(runBlobs(folder), bytes('records'), 'jsonl')).toEqual(input);
  writeFileSync(join(folder, input.file), 'recordz');
  await expect(readInput(runBlobs(folder), input)).rejects.toThrow(CorruptionError);
});

test('a damaged manifest and one of a newer program are refused by name', async () => {
  const folder = await newRun();
  writeFileSync(manifestPath(folder), JSON.stringify({ ...manifest, formatVersion: 3 }));
  await expect(readManifest(folder)).rejects.toThrow(/manifest.json.*run format 3.*update it/);
  writeFileSync(manifestPath(folder), JSON.stringify({ ...manifest, uuid: 5 }));
  await expect(readManifest(folder)).rejects.toThrow(/damaged.*uuid: expected string/);
  writeFileSync(manifestPath(folder), '{"formatVersion":');
  await expect(readManifest(folder)).rejects.toThrow(
    'a manifest must be JSON, got truncated or modified text (Unexpected end of JSON input); restore it from a backup',
  );
});

test('a manifest changed by hand or by the disk is not read, changed or sealed again', async () => {
  const folder = await newRun();
  const whole = readFileSync(manifestPath(folder), 'utf8');
  const other = [whole.replace('"seed": 0', '"seed": 8'), whole.replace('running', 'complete')];
  for (const changed of [...other, JSON.stringify(JSON.parse(whole))]) {
    expect(changed).not.toBe(whole);
    writeFileSync(manifestPath(folder), changed);
    const reading = [
      () => readManifest(folder),
      () => readRunFolder(folder),
      () => updateManifest(folderHome(folder), (old) => old),
    ];
    for (const read of reading)
      await expect(read()).rejects.toThrow(
        /manifest.json: does not match its SHA-256: damaged or changed by hand; restore it from a backup/,
      );
    expect(readFileSync(manifestPath(folder), 'utf8')).toBe(changed);
  }
  // As a program wrote it that had no seals yet.
  writeFileSync(manifestPath(folder), JSON.stringify(manifest));
  expect(await readManifest(folder)).toEqual(manifest);
});

test('a finished run has a time and a reason, a running one has neither', async () => {
  const folder = await newRun();
  await setRunState(folderHome(folder), 'incomplete', 'budget');
  expect(await readManifest(folder)).toMatchObject({
    state: 'incomplete',
    stateDetail: 'budget',
    finishedAt: expect.stringMatching(/Z$/),
  });
  await setRunState(folderHome(folder), 'running', null);
  expect(await readManifest(folder)).toMatchObject({ state: 'running', stateDetail: null, finishedAt: null });
});

test('publishing shows the ledger’s parts that are in place, and refuses the ledger of another run', async () => {
  const folder = await newRun();
  const ledger = openLedger(ledgerPath(folder));
  const { record: part, durable, publish } = stagePart(folder, 'loops/run', described, 3, bytes('rows'));
  await durable;
  await ledger.replaceParts(0, [part]);
  await publishManifest(folderHome(folder), ledger);
  expect((await readManifest(folder)).parts).toEqual([]);
  publish();
  await publishManifest(folderHome(folder), ledger);
  expect((await readManifest(folder)).parts).toEqual([part]);
  const stranger = openLedger(join(newFolder(), 'ledger.sqlite'));
  await expect(publishManifest(folderHome(folder), stranger)).rejects.toThrow(
    'manifest and ledger belong to different runs',
  );
});

// Red without the lock in publishManifest, or without `withRunLock` in updateManifest:
// who read earlier writes later.
test('additions by several processes to one manifest at once are all kept', async () => {
  const folder = await newRun();
  const storage = (file: string): string =>
    JSON.stringify(fileURLToPath(new URL(`../../../activities/storage/${file}`, import.meta.url)));
  const script = `import { writeFileSync } from 'node:fs';
    import { openLedger } from ${storage('ledger/sqlite/sqlite-ledger.ts')};
    import { publishManifest, updateManifest } from ${storage('manifest.ts')};
    import { folderHome } from ${storage('home/folder-home.ts')};
    const [folder, name, startMs] = process.argv.slice(1);
    const home = folderHome(folder);
    const ledger = openLedger(folder + '/ledger.sqlite');
    const record = { table: 'loops', rows: 1, bytes: 1, sha256: 'x', schemaVersion: 1, revision: 1 };
    while (Date.now() < Number(startMs));
    for (let index = 0; index < 25; index += 1) {
      const id = name + index;
      writeFileSync(folder + '/' + id, '');
      await ledger.replaceParts(0, [{ ...record, path: id, page: id }]);
      await publishManifest(home, ledger);
      await updateManifest(home, (old) => ({ ...old, replays: { ...old.replays, [id]: { file: id, sha256: id } } }));
    }`;
  const run = promisify(execFile);
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script, folder];
  const startMs = String(Date.now() + 1500);
  await Promise.all(['a', 'b', 'c'].map((name) => run(process.execPath, [...options, name, startMs])));
  const { parts, replays } = await readManifest(folder);
  expect({ parts: parts.length, replays: Object.keys(replays).length }).toEqual({ parts: 75, replays: 75 });
});

test('paths of parts name table, study, model, page, revision and bytes', async () => {
  expect(pagePartStem('samples', 'loops', 'Org/M', 'r1p0')).toMatch(
    /^samples\/study=loops\/model=org-m-[0-9a-f]{6}\/r1p0$/,
  );
  const { record } = stagePart(newFolder(), runPartStem('asl', 'R'), { ...described, revision: 3 }, 4, bytes('rows'));
  expect(record.path).toMatch(/^asl\/r-[0-9a-f]{6}\.r3\.[0-9a-f]{12}\.parquet$/);
});

test('a staged part does not count until it is published, and the same bytes again change nothing', async () => {
  const folder = newFolder();
  const stem = 'loops/study=s/model=m/p';
  // sha256sum of the four bytes "rows".
  const path = `${stem}.r1.${keyOf('rows').slice(0, 12)}.parquet`;
  const staged = stagePart(folder, stem, described, 4, bytes('rows'));
  const record: PartRecord = { path, ...described, rows: 4, bytes: 4, sha256: keyOf('rows') };
  expect(staged.record).toEqual(record);
  expect(existsSync(join(folder, path))).toBe(false);
  await staged.durable;
  staged.publish();
  expect(readFileSync(join(folder, path), 'utf8')).toBe('rows');
  const again = stagePart(folder, stem, described, 4, bytes('rows'));
  await again.durable;
  again.publish();
  expect(again.record).toEqual(record);
  expect(readdirSync(join(folder, 'loops/study=s/model=m'))).toEqual([basename(path)]);
});

test.each([
  [0x6969, 'NFS'],
  // statfs gives this one as a negative 32-bit number on some systems.
  [0xff534d42 | 0, 'CIFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x19830326, 'BeeGFS'],
  [0x00c36400, 'CephFS'],
  [0x01021997, '9p'],
  [0x65735546, 'FUSE'],
])('a ledger on file system %i is refused', (type, name) => {
  const refuse = (env = {}) => refuseNetworkFileSystem('/data', () => type, env);
  expect(refuse).toThrow(new RegExp(`/data.*ledger on ${name}.*EVENKEEL_RUNS.*EVENKEEL_TRUST_FILE_SYSTEM=1`));
  expect(() => refuse({ EVENKEEL_TRUST_FILE_SYSTEM: '1' })).not.toThrow();
  expect(() => refuseNetworkFileSystem('/data', () => 0xef53)).not.toThrow();
});
