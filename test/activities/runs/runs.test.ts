/** Which runs a worker keeps open, seen in the files that this process has open. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import type { RunRef } from '../../../schemas/steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, replayText, tinyTasks } from '../../support/tiny-tasks.ts';

const spec = `name: runs
models: [{ id: m, provider: simulated }, { id: recorded, provider: replay, file: replies.jsonl }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny }]
`;

async function planned(runsDir: string, runId: string): Promise<RunRef> {
  const file = join(runsDir, 'spec.yaml');
  writeFileSync(file, spec);
  writeFileSync(join(runsDir, 'tiny.jsonl'), benchmarkText(tinyTasks(1)));
  writeFileSync(join(runsDir, 'replies.jsonl'), replayText([{ reply: 'none' }]));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  const { ledger, manifest } = await planRun({ ...(await readSpecFile(file)), runsDir, runId, sandbox });
  const epoch = await ledger.takeOver('test');
  await ledger.close();
  return { runId, uuid: manifest.uuid, epoch };
}

/** Files under `folder` that this process has open, as paths within it. */
function openFiles(folder: string): string[] {
  const targets = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return [];
    }
  });
  const found = targets.filter((target) => target.startsWith(`${folder}/`));
  return [...new Set(found.map((target) => target.slice(folder.length + 1)))].sort();
}

/** Runs under `runsDir` whose ledger this process has open. */
const openRuns = (runsDir: string): string[] =>
  openFiles(runsDir).flatMap((file) => /^(.*)\/ledger\.sqlite$/.exec(file)?.[1] ?? []);

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
      return await run.ledger.currentEpoch();
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

test.skipIf(process.platform !== 'linux')(
  'a run closes the recordings that its models read (/proc, so Linux)',
  async () => {
    const runsDir = temporaryFolder();
    const ref = await planned(runsDir, 'recorded');
    const runs = createRuns({ runsDir, accounts: createAccounts(null) });
    await (await runs.open(ref)).model('recorded').provider();
    const inputs = (): string[] => openFiles(runsDir).filter((file) => file.includes('/inputs/'));
    expect(inputs()).toHaveLength(1);
    await runs.close();
    // Red before: they stayed open until garbage collection, which Node will make an error.
    expect(inputs()).toEqual([]);
  },
);
