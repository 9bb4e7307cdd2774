/** A run whose files were changed by hand after its end: an archive would give them seals of its own. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandEnd, runCommand } from '../../support/command.ts';
import { smallRun } from '../../support/small-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'evenkeel-'));
let whole = '';
beforeAll(async () => {
  whole = await smallRun(folder);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

interface Copy {
  readonly run: string;
  evenkeel(verb: string, ...args: readonly string[]): Promise<CommandEnd>;
}

function copied(name: string): Copy {
  const run = join(folder, name, basename(whole));
  cpSync(whole, run, { recursive: true });
  return { run, evenkeel: (verb, ...args) => runCommand([verb, basename(run), ...args, '--runs-dir', dirname(run)]) };
}

function changeLedger(run: string): void {
  const database = new DatabaseSync(join(run, 'ledger.sqlite'));
  database.exec('update charge set tokens = 1');
  database.close();
}

const otherSeal = /ledger\.sqlite: has SHA-256 \w+, not \w+ as recorded when the run ended/;

// Red before: the copy of the changed ledger had a seal of its own, and `verify` said "is intact".
test('a ledger that differs from its seal is in no archive, neither whole nor in part', async () => {
  const { run, evenkeel } = copied('ledger');
  changeLedger(run);
  const out = join(folder, 'changed.tar.gz');
  for (const more of [[], ['--without', 'replies']]) {
    const end = await evenkeel('archive', '--out', out, ...more);
    expect([end.status, end.stdout, end.stderr], end.output).toEqual([2, '', expect.stringMatching(otherSeal)]);
  }
  rmSync(join(run, 'ledger.sqlite'));
  expect((await evenkeel('archive', '--out', out)).stderr).toMatch(/a run must have a ledger, this file is missing/);
  expect(existsSync(out)).toBe(false);
});

test('resume does not repair a run with such a ledger', async () => {
  const { run, evenkeel } = copied('resumed');
  changeLedger(run);
  rmSync(join(run, 'views.sql'));
  const end = await evenkeel('resume');
  expect([end.status, end.stderr], end.output).toEqual([2, expect.stringMatching(otherSeal)]);
  expect(existsSync(join(run, 'views.sql'))).toBe(false);
});

// Red before: as with the ledger; without views.sql the archive had none.
test('views that differ from their seal, or are gone, are first made again', async () => {
  const { run, evenkeel } = copied('views');
  const views = readFileSync(join(run, 'views.sql'), 'utf8');
  const out = join(folder, 'views.tar.gz');
  for (const harm of [
    () => writeFileSync(join(run, 'views.sql'), `${views}\n`),
    () => rmSync(join(run, 'views.sql')),
  ]) {
    harm();
    const end = await evenkeel('archive', '--out', out);
    expect([end.status, end.stderr], end.output).toEqual([
      2,
      expect.stringContaining('has a damaged or missing table or views.sql: rebuild it with'),
    ]);
  }
  expect((await evenkeel('verify', '--repair')).status).toBe(0);
  const end = await evenkeel('archive', '--out', out);
  expect(end.status, end.output).toBe(0);
}, 60_000);
