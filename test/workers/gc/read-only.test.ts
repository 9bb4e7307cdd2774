/** `gc` where the disk of the runs is read-only: what stays there is listed with the reason, and nothing fails. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { aged, type Place, placeIn } from './gc-fixture.ts';

const readOnly = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"';
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', readOnly, 'sh', '/tmp']).status === 0;

let place: Place;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  place = placeIn(folder);
});

/** The command, with the runs directory as a read-only mount. */
function gcOnReadOnly(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const main = join(import.meta.dirname, '../../../cli/main.ts');
  const command = [process.execPath, main, 'gc', ...args, '--runs-dir', place.runsDir];
  const script = `${readOnly} && shift && exec "$@"`;
  return spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', place.runsDir, ...command], {
    encoding: 'utf8',
    env: { ...process.env, EVENKEEL_CACHE: place.cache, TMPDIR: folder },
  });
}

// Red before: it was listed as removable, and then stayed with "disk I/O error".
test.runIf(canMount)('a run is listed as kept for that', () => {
  place.run('whole', 'done');
  const { status, stdout } = gcOnReadOnly('done');
  expect([status, stdout]).toEqual([0, expect.stringMatching(/stays: run done, .*: cannot be removed: .*read-only/)]);
  expect(stdout).toContain('nothing to remove: what was asked for stays, for the reasons above');
});

// Red before: the list promised to remove them, and --yes ended with a stack trace and status 1.
test.runIf(canMount)('replaced tables and half-made runs stay too, in the list and with --yes', () => {
  const replaced = aged(join(place.run('whole', 'done'), 'superseded', 'answers', 'a.r0.parquet'), 2);
  const half = aged(join(place.runsDir, '.store-00000000-0000-4000-8000-000000000000'), 2);
  for (const args of [[], ['--yes'], ['done', '--yes']]) {
    const { status, stdout, stderr } = gcOnReadOnly(...args);
    expect([status, stderr], args.join(' ')).toEqual([0, '']);
    expect(stdout).toMatch(/stays: leftover files of run done, .*: cannot be removed: .* is read-only for you/);
    expect(stdout).toMatch(/stays: leftover \.store-0{8}-.*: cannot be removed: .* is read-only for you/);
    expect(stdout).not.toMatch(/removes \d|removed: \d/);
  }
  expect([replaced, half].map((path) => existsSync(path))).toEqual([true, true]);
});
