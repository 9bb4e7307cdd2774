/**
 * A run on a disk that cannot be written: a read-only mount of its folder, or a full disk, where this machine lets a
 * test make one.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { openLedger } from '../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { newFolder } from './ledger-fixture.ts';

const module = JSON.stringify(
  fileURLToPath(new URL('../../../../activities/storage/ledger/sqlite/sqlite-ledger.ts', import.meta.url)),
);
const canMount =
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp']).status === 0;

/** What `script` says of the ledger, in a process of its own after `mounts`, with the folder in $1. */
const after = (mounts: string, folder: string, script: string): string =>
  execFileSync(
    'unshare',
    [
      ...['-m', 'sh', '-c', `${mounts}; exec "$2" --input-type=module -e "$3" "$1"`, 'sh'],
      ...[folder, process.execPath, `import { openLedger } from ${module}; ${script}`],
    ],
    { encoding: 'utf8' },
  );

const inReadOnly = (folder: string, script: string): string =>
  after('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"', folder, script);

/** On a copy of the folder, on a disk without room for a byte. */
const onFullDisk = (folder: string, script: string): string =>
  after(
    'set -e; copy=$(mktemp -d); cp -r "$1"/. $copy; mount -t tmpfs -o size=2m full "$1"; cp -r $copy/. "$1"; ' +
      'rm -r $copy; cat /dev/zero > "$1"/filler 2> /dev/null || true',
    folder,
    script,
  );

const write = `const ledger = openLedger(process.argv[1] + '/ledger.sqlite');
  let said = 'written';
  try { await ledger.takeOver('me'); } catch (error) { said = error.name + ' ' + error.message; }
  console.log(await ledger.currentEpoch(), said);`;

test.runIf(canMount)(
  'a ledger at rest is read, nothing is put beside it, and a change is refused with what to do',
  async () => {
    const folder = newFolder();
    const ledger = openLedger(join(folder, 'ledger.sqlite'));
    await ledger.takeOver('first');
    await ledger.close();
    writeFileSync(join(folder, 'manifest.json'), '{}');
    const before = readdirSync(folder);
    expect(inReadOnly(folder, write)).toMatch(
      /^1 InputError .*ledger\.sqlite {2}cannot be written \(.*readonly database\): .*; else copy the folder to a/,
    );
    expect(readdirSync(folder)).toEqual(before);
  },
);

test.runIf(canMount)(
  'the answers of a process that was killed are read too, or the ledger is refused: never an older state of it',
  async () => {
    const folder = newFolder();
    const ledger = openLedger(join(folder, 'ledger.sqlite'));
    await ledger.takeOver('first');
    writeFileSync(join(folder, 'manifest.json'), '{}');
    try {
      expect(inReadOnly(folder, write)).toMatch(/^1 /);
    } finally {
      await ledger.close();
    }
  },
);

test.runIf(canMount)('a ledger at rest is read on a full disk; a change is refused with what to do', async () => {
  const folder = newFolder();
  const ledger = openLedger(join(folder, 'ledger.sqlite'));
  await ledger.takeOver('first');
  await ledger.close();
  writeFileSync(join(folder, 'manifest.json'), '{}');
  expect(onFullDisk(folder, write)).toMatch(/^1 InputError .*ledger\.sqlite .*if its disk is full, free some space/);
});

test.runIf(canMount)('so are the answers of a process that was killed, which are only in the log', async () => {
  const folder = newFolder();
  const path = join(folder, 'ledger.sqlite');
  const ledger = openLedger(path);
  await ledger.takeOver('first');
  const killed = newFolder();
  for (const file of ['ledger.sqlite', 'ledger.sqlite-wal']) copyFileSync(join(folder, file), join(killed, file));
  await ledger.close();
  writeFileSync(join(killed, 'manifest.json'), '{}');
  expect(onFullDisk(killed, write)).toMatch(/^1 InputError .*ledger\.sqlite .*if its disk is full, free some space/);
});
