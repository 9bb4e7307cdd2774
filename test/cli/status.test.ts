/** `status` of all runs, some of which cannot be read. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../support/command.ts';

const whole = join(import.meta.dirname, '../integration/fixtures/version-0.1/whole.tar.gz');
let folder = '';
let runsDir = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'evenkeel-status-'));
  runsDir = join(folder, 'runs');
  mkdirSync(runsDir);
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
  for (const name of ['cut', 'headless', 'ledgerless'])
    cpSync(join(runsDir, 'before'), join(runsDir, name), { recursive: true });
  writeFileSync(join(runsDir, 'cut', 'manifest.json'), '{ "formatVersion": 1,');
  rmSync(join(runsDir, 'headless', 'manifest.json'));
  rmSync(join(runsDir, 'ledgerless', 'ledger.sqlite'));
  symlinkSync(join(folder, 'unplugged'), join(runsDir, 'linked'));
  // Not runs.
  mkdirSync(join(runsDir, 'notes'));
  writeFileSync(join(runsDir, 'readme.txt'), '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reasons = {
  cut: 'a manifest must be JSON, got truncated or modified text',
  headless: 'has no manifest.json, so it is not a run: restore that file',
  ledgerless: 'a run must have a ledger, this file is missing; restore ledger.sqlite',
  linked: 'is a link to a folder that does not exist',
};

test('a run that cannot be read is listed with the reason in words, and the others as always', async () => {
  const { status, stdout } = await runCommand(['status', '--runs-dir', runsDir]);
  expect(status).toBe(2);
  expect(stdout).toMatch(/│ before +│ complete +│/);
  for (const [run, reason] of Object.entries(reasons)) {
    expect(stdout).toMatch(new RegExp(`│ ${run} +│ unreadable +│`));
    expect(stdout).toMatch(new RegExp(`^.*${run}.*${reason}`, 'm'));
  }
  expect(stdout).not.toMatch(/notes|readme/);
});

test('--json lists them too', async () => {
  const { status, stdout } = await runCommand(['status', '--runs-dir', runsDir, '--json']);
  expect([status, JSON.parse(stdout)]).toEqual([
    2,
    [
      expect.objectContaining({ run: 'before', state: 'complete' }),
      ...Object.entries(reasons).map(([run, reason]) => ({
        ...{ run, state: 'unreadable', cells: null, done: null },
        reason: expect.stringContaining(reason),
      })),
    ],
  ]);
});
