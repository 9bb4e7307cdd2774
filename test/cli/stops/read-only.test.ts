/** `pause`, `cancel` and `budget` of a run on a read-only disk, where this machine lets a test make one. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const readOnly = 'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"';
const canMount = spawnSync('unshare', ['-m', 'sh', '-c', readOnly, 'sh', '/tmp']).status === 0;
const main = join(import.meta.dirname, '../../../cli/main.ts');

// Red before: the message named a temporary file, and told to choose another path.
test.runIf(canMount)('each says that the run is read-only, and what to do', async () => {
  const runsDir = temporaryFolder();
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(
    join(runsDir, 'spec.yaml'),
    'name: r\nmodels: [{ id: m, provider: simulated }]\n' +
      'benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }\n' +
      'studies: [{ name: s, kind: evaloop, benchmark: tiny }]\n',
  );
  const file = await readSpecFile(join(runsDir, 'spec.yaml'));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  await (await planRun({ ...file, runsDir, runId: 'r', sandbox })).ledger.close();
  for (const args of [['pause'], ['cancel'], ['budget', '--tokens', '9']]) {
    const command = [process.execPath, main, ...args, 'r', '--runs-dir', runsDir];
    const { status, stderr } = spawnSync(
      'unshare',
      ['-m', 'sh', '-c', `${readOnly} && shift && exec "$@"`, 'sh', runsDir, ...command],
      { encoding: 'utf8', env: { ...process.env, TMPDIR: '/dev/shm' } },
    );
    expect([status, stderr], args[0]).toEqual([
      2,
      expect.stringMatching(/\/r {2}is read-only, so the run cannot be changed there: copy the runs directory, and/),
    ]);
  }
});
