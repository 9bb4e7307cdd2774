/** A run on a disk that cannot be written: a read-only mount of its folder, where this machine lets a test make one. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
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

/** What `script` says of the ledger, in a process that cannot write to its folder. */
const inReadOnly = (folder: string, script: string): string =>
  execFileSync(
    'unshare',
    [
      ...[
        '-m',
        'sh',
        '-c',
        'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && exec "$2" --input-type=module -e "$3" "$1"',
        'sh',
      ],
      ...[folder, process.execPath, `import { openLedger } from ${module}; ${script}`],
    ],
    { encoding: 'utf8' },
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
      /^1 InputError .*ledger\.sqlite {2}cannot be written \(.*readonly database\): copy the folder to a writable/,
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
