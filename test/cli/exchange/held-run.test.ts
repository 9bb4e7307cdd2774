/** Commands that need a run for themselves, while another command has it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownerLock } from '../../../activities/storage/catalog/owner-lock.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whole = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');

// Red before: "is active: wait until it has ended, or pause it first", and `pause` said that there is nothing to pause.
test.each([
  { args: (folder: string) => ['archive', 'before', '--out', join(folder, 'a.tar.gz')] },
  { args: () => ['verify', 'before', '--repair'] },
])('a complete run that another command holds is not said to be active', async ({ args }) => {
  const runsDir = temporaryFolder();
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
  const owned = await ownerLock(join(runsDir, 'before')).take();
  const { status, stderr } = await runCommand([...args(runsDir), '--runs-dir', runsDir]);
  await owned?.release();
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/run "before" is complete, and another command works on it now, such as archive, .*: wait/),
  ]);
  expect(stderr).not.toMatch(/pause/);
});
