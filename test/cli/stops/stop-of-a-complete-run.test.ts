/** `pause` may come after the last call: the run is complete a moment later, and nothing is paused. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import { runCommand } from '../../support/command.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const whole = join(import.meta.dirname, '../../integration/fixtures/version-0.1/whole.tar.gz');

test('a complete run is not said to be paused', async () => {
  const runsDir = temporaryFolder();
  execFileSync('tar', ['-xzf', whole, '-C', runsDir]);
  const ledger = openLedger(ledgerPath(join(runsDir, 'before')));
  await ledger.setStop(null, 'paused', 'paused by the user');
  expect((await ledger.progress()).stopped).toHaveLength(1);
  await ledger.close();
  const json = await runCommand(['status', 'before', '--json', '--runs-dir', runsDir]);
  expect(JSON.parse(json.stdout)).toMatchObject({ state: 'complete', progress: { stopped: [] } });
  expect((await runCommand(['status', 'before', '--runs-dir', runsDir])).stdout).not.toContain('paused');
});
