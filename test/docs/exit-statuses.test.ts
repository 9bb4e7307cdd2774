/** What the documents say of exit statuses, which scripts rely on. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitStatus } from '../../cli/exit-status.ts';

const textOf = (path: string): string =>
  readFileSync(join(import.meta.dirname, '../..', path), 'utf8').replace(/\s+/g, ' ');

test('the README names each exit status, and what 1 means of verify', () => {
  const [list = ''] = /Exit status: .*? ## /.exec(textOf('README.md')) ?? [];
  for (const status of Object.values(exitStatus)) expect(list).toMatch(new RegExp(`[ ;]${status} `));
  // Red before: a damaged run was "a bug, or a broken machine".
  expect(list).toMatch(/1 unexpected failure, tables missing, or `verify` found damage;/);
});

test('troubleshooting sends whoever gets 1 of verify to the part on damage', () => {
  const text = textOf('docs/troubleshooting.md');
  const [line = ''] = /- \*\*1\*\*: .*? - \*\*2\*\*/.exec(text) ?? [];
  expect(line).toContain('Of `verify`');
  expect(line).toContain('#damaged-or-lost-files');
  expect(text).toContain('## Damaged or lost files');
});
