/** A shell that limits the size of files (`ulimit -f`), which is no full disk. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileSizeLimit } from '../../../activities/storage/files/own-limits.ts';
import { sizeNote } from '../../../workers/temporal/start-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const env = { ...process.env, NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' };

/** POSIX counts the limit in blocks of 512 bytes, and sh may too: the limits here have room for either. */
function limited(blocks: number, line: string, ...words: readonly string[]) {
  const { status, stderr } = spawnSync('sh', ['-c', `ulimit -f ${blocks}; ${line}`, process.execPath, ...words], {
    encoding: 'utf8',
    env,
  });
  return { status, stderr };
}

const remedy = 'larger than a file may be here (EFBIG): `ulimit -f unlimited` lifts the limit of this shell';
const main = join(root, 'bin/evenkeel.mjs');

// Red before: "unexpected failure (a bug, or a broken machine)", exit status 1.
test('a command whose file would be too large says so and what to do', () => {
  const { status, stderr } = limited(8, 'exec "$0" "$1" init "$2"', main, join(temporaryFolder(), 'new'));
  expect(status).toBe(3);
  expect(stderr).toContain(`a file would be ${remedy}; all stored answers are safe, run the same command again (EFBIG`);
});

// Red before: "cannot be written: EFBIG: file too large, write".
test('standard output that would be too large', () => {
  const { status, stderr } = limited(1, 'exec "$0" "$1" run --help > "$2"', main, join(temporaryFolder(), 'help'));
  expect([status, stderr]).toEqual([
    2,
    `standard output  would be ${remedy}, or write it elsewhere; it is not complete\n`,
  ]);
});

// Red before: the error of the system.
test.each([
  [
    'cli/output/output-file.ts',
    "m.writeOutput(p, ['x'.repeat(100_000)])",
    `would be ${remedy}, or choose another path`,
  ],
  [
    'activities/exchange/write-saved.ts',
    "m.writeSaved({ name: 'n', file: 'list.json', tables: {} }, p, ['x'.repeat(100_000)], {}, new Date())",
    `a file in it would be ${remedy}, or choose another path`,
  ],
])('a file that %s writes', (file, call, told) => {
  const path = join(temporaryFolder(), 'out');
  const code = `const m = await import(process.argv[1]); const p = process.argv[2];
    await ${call}.catch((error) => process.stderr.write(error.name + ' ' + error.message));`;
  const { stderr } = limited(8, 'exec "$0" --input-type=module -e "$1" "$2" "$3"', code, join(root, file), path);
  expect(stderr).toBe(`InputError ${path}  ${told}`);
});

// Red before: "cannot be used (disk I/O error): its disk is full or damaged".
test('a ledger that reaches the limit', () => {
  const path = join(temporaryFolder(), 'ledger.sqlite');
  const code = `const { openDatabase } = await import(process.argv[1]);
    try { openDatabase(process.argv[2]); } catch (error) { process.stderr.write(error.name + ' ' + error.message); }`;
  const file = join(root, 'activities/storage/ledger/sqlite/ledger-database.ts');
  const { stderr } = limited(16, 'exec "$0" --input-type=module -e "$1" "$2" "$3"', code, file, path);
  expect(stderr).toMatch(
    /^InputError .*ledger\.sqlite .*: this shell limits files to (?:8|16) KiB: `ulimit -f unlimited` lifts that/,
  );
});

test('the limit is read as Linux lists it, and the Temporal server is told of a small one', () => {
  const limits = (soft: string) => `Limit                     Soft Limit           Hard Limit           Units
Max file size             ${soft.padEnd(20)} unlimited            bytes
`;
  expect([fileSizeLimit(limits('unlimited')), fileSizeLimit(limits('4096')), fileSizeLimit('')]).toEqual([
    ...[Infinity, 4096, Infinity],
  ]);
  expect([sizeNote(Infinity), sizeNote(4096)]).toEqual([
    ...['', '\nthis shell limits files to 4 KiB: `ulimit -f unlimited` lifts that'],
  ]);
});
