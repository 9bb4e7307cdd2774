/** What `export` says on stderr while it reads, where that is no terminal. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whole = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');

// Red before: "0 answers read", once, and nothing of those that were read then.
test('the count of answers begins with the first that were read', async () => {
  const runsDir = temporaryFolder();
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
  const out = join(runsDir, 'answers.csv');
  const options = ['--format', 'csv', '--out', out, '--runs-dir', runsDir];
  const { status, stderr } = await runCommand(['export', 'before', ...options]);
  expect([status, stderr]).toEqual([0, expect.stringMatching(/^[1-9]\d* answers read$/m)]);
  expect(stderr).not.toMatch(/^0 answers/m);
});
