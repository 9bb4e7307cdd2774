/** Which runs a worker keeps open, seen in the files that this process has open. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccounts } from '../../../activities/calls/accounts.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import type { RunRef } from '../../../schemas/steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

const spec = `name: runs
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny }]
`;

async function planned(runsDir: string, runId: string): Promise<RunRef> {
  const file = join(runsDir, 'spec.yaml');
  writeFileSync(file, spec);
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger, manifest } = await planRun({ ...(await readSpecFile(file)), runsDir, runId, sandbox });
  const epoch = ledger.takeOver('test');
  ledger.close();
  return { runId, uuid: manifest.uuid, epoch };
}

/** Runs under `runsDir` whose ledger this process has open. */
function openRuns(runsDir: string): string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  const ledgers = targets.filter((target) => target.startsWith(runsDir) && target.endsWith('/ledger.sqlite'));
  return [...new Set(ledgers.map((target) => target.slice(runsDir.length + 1, -'/ledger.sqlite'.length)))].sort();
}

test.skipIf(process.platform !== 'linux')(
  'a run stays open while a step works on it; one that is idle is closed by a later step (/proc, so Linux)',
  async () => {
    const runsDir = temporaryFolder();
    const [first, second] = [await planned(runsDir, 'first'), await planned(runsDir, 'second')];
    expect(openRuns(runsDir)).toEqual([]);
    const runs = createRuns({ runsDir, accounts: createAccounts(null), idleMs: 20 });
    const held = Promise.withResolvers<void>();
    const long = runs.during(first, async () => {
      const run = await runs.open(first);
      await held.promise;
      return run.ledger.currentEpoch();
    });
    await runs.during(second, () => runs.open(second));
    await pause(40);
    await runs.during(second, () => runs.open(second));
    expect(openRuns(runsDir)).toEqual(['first', 'second']);
    held.resolve();
    expect(await long).toBe(first.epoch);
    await pause(40);
    await runs.during(second, () => runs.open(second));
    await expect.poll(() => openRuns(runsDir)).toEqual(['second']);
    expect((await runs.during(first, () => runs.open(first))).runId).toBe('first');
    await runs.close();
    expect(openRuns(runsDir)).toEqual([]);
  },
);
