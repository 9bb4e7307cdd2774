/** A store on servers: what commands say of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const evenkeel = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(args, { ...process.env, ...env });

test.each([
  [{ EVENKEEL_STORE: 'postgres://me:secret@db.example/evenkeel' }, /^EVENKEEL_BLOBS {2}must name a bucket: .* got ""/],
  [{ EVENKEEL_BLOBS: 's3://bucket/prefix' }, /^EVENKEEL_STORE {2}must name a PostgreSQL database: .* got ""/],
  [{ EVENKEEL_STORE: 'mysql://me:secret@db/x' }, /^EVENKEEL_STORE {2}must name a PostgreSQL .*mysql:\/\/me:\*\*\*@db/],
  // Red before, these: the run was made in a folder of this machine.
  [{ EVENKEEL_STORE: 'foo' }, /^EVENKEEL_STORE {2}must name a PostgreSQL .*; unset both to keep runs in .*got "foo"/],
  [{ EVENKEEL_STORE: 'db.example:5432/evenkeel' }, /^EVENKEEL_STORE {2}must name .*got "db\.example:5432\/evenkeel"/],
  [{ EVENKEEL_STORE: 'me:secret@db.example/evenkeel' }, /^EVENKEEL_STORE {2}must name .*got "me:\*\*\*@db\.example/],
  [{ EVENKEEL_STORE: 'host=db password=secret' }, /^EVENKEEL_STORE {2}must name .*got "host=db password=\*\*\*"/],
  [{ EVENKEEL_BLOBS: 'bar' }, /^EVENKEEL_STORE {2}must name a PostgreSQL .*EVENKEEL_BLOBS=s3:.* got ""/],
  [{ EVENKEEL_STORE: 'postgres://me@db/x', EVENKEEL_BLOBS: 'bar' }, /^EVENKEEL_BLOBS {2}must name a bucket: .*"bar"/],
])('a store on servers needs its database and its bucket: %o', async (env, message) => {
  const { status, stderr } = await evenkeel(env, 'status');
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr).not.toContain('secret');
});

test('empty values name no servers', async () => {
  const empty = { EVENKEEL_STORE: '', EVENKEEL_BLOBS: '', EVENKEEL_RUNS: temporaryFolder() };
  expect((await evenkeel(empty, 'status')).status).toBe(0);
});

// Red before: `doctor` was silent about a value that is no address, and the others were refused.
test('doctor names a wrong value as a fault, and commands that read no runs do without it', async () => {
  const wrong = { EVENKEEL_STORE: 'foo', EVENKEEL_BLOBS: '' };
  const { status, stdout } = await evenkeel(wrong, 'doctor');
  expect([status, stdout]).toEqual([2, expect.stringMatching(/^missing store .*\n +EVENKEEL_STORE {2}must name a /m)]);
  const alone = await evenkeel({ EVENKEEL_STORE: '', EVENKEEL_BLOBS: 'bar' }, 'doctor');
  expect(alone.stdout).toMatch(/^missing store .*\n +EVENKEEL_STORE {2}must name a /m);
  for (const args of [['--help'], ['run', '--help'], ['benchmarks'], ['init', join(temporaryFolder(), 'study')]])
    expect((await evenkeel(wrong, ...args)).status, args.join(' ')).toBe(0);
});

const nowhere = { EVENKEEL_STORE: 'postgres://me:secret@127.0.0.1:1/x', EVENKEEL_BLOBS: 's3://bucket/prefix' };

test('a command that works with folders only says so, and --runs-dir is refused', async () => {
  const rescore = await evenkeel(nowhere, 'rescore', 'some');
  expect([rescore.status, rescore.stderr]).toEqual([2, expect.stringMatching(/`rescore` does not work: it makes a /)]);
  const named = await evenkeel(nowhere, 'status', '--runs-dir', 'x');
  expect([named.status, named.stderr]).toEqual([2, expect.stringMatching(/^--runs-dir {2}names a folder, but EVEN/)]);
});

test('commands and workers say why a store cannot be used, and begin nothing', async () => {
  const { status, stderr } = await evenkeel(nowhere, 'status');
  const message = /^the store cannot be used: .*ECONNREFUSED.*`evenkeel doctor`/;
  expect([status, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(stderr).not.toContain('secret');
});

test('store prepare asks for an address, and refuses what it does not understand in it', async () => {
  expect((await evenkeel({ EVENKEEL_STORE: '' }, 'store', 'prepare')).stderr).toMatch(/^EVENKEEL_STORE {2}must name/);
  const unknown = await evenkeel({ EVENKEEL_STORE: 'postgres://me:secret@db/x?sslmod=require' }, 'store', 'prepare');
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/sslmod.*got "postgres:\/\/me:\*\*\*@db/),
  ]);
  expect(unknown.stderr).not.toContain('secret');
  expect((await evenkeel({}, 'store', 'drop')).stderr).toMatch('must be "prepare"; got "drop"');
});

// Red before: the folder was ignored, and the database of EVENKEEL_STORE prepared.
test('store prepare refuses a folder of runs', async () => {
  const { status, stderr } = await evenkeel({ EVENKEEL_STORE: '' }, 'store', 'prepare', '--runs-dir', 'elsewhere');
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^--runs-dir {2}store works with the database that/)]);
});

test('store prepare says why a database cannot be used, and what to check', async () => {
  const { status, stderr } = await evenkeel(
    { EVENKEEL_STORE: 'postgres://me:secret@127.0.0.1:1/x' },
    'store',
    'prepare',
  );
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/could not be prepared: .*ECONNREFUSED.*; check that it/),
  ]);
  expect(stderr).not.toContain('secret');
});
