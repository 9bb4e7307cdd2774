/** A store on servers: what commands say of it. */
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';

const evenkeel = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
  runCommand(args, { ...process.env, ...env });

test.each([
  [{ EVENKEEL_STORE: 'postgres://db.example/evenkeel' }, 'EVENKEEL_STORE'],
  [{ EVENKEEL_BLOBS: 's3://bucket/prefix' }, 'EVENKEEL_BLOBS'],
])('a command that cannot keep runs there refuses %o', async (env, field) => {
  for (const args of [['status'], ['run', 'spec.yaml'], ['worker']]) {
    const { status, stderr } = await evenkeel(env, ...args);
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`^${field}  names a store on servers .* cannot keep runs yet; unset it`));
  }
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
