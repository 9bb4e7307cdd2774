/** Which runs a worker keeps open, seen in the files that this process has open. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { isOpenElsewhere } from '../../../activities/storage/gc/open-elsewhere.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
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
  'a run stays open while a step works on it, and closes a while after the last, though no other step ends (/proc)',
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
    await runs.during(first, () => runs.open(first));
    await runs.during(second, () => runs.open(second));
    expect(openRuns(runsDir)).toEqual(['first', 'second']);
    // Red before: it stayed open until a step of this process ended, which may take minutes, or never come.
    await expect.poll(() => openRuns(runsDir)).toEqual(['first']);
    expect(isOpenElsewhere(ledgerPath(join(runsDir, 'second')))).toBe(false);
    await pause(60);
    expect(openRuns(runsDir)).toEqual(['first']);
    held.resolve();
    expect(await long).toBe(first.epoch);
    await expect.poll(() => openRuns(runsDir)).toEqual([]);
    const again = (): Promise<string> => runs.during(second, async () => (await runs.open(second)).runId);
    expect(await Promise.all([again(), again()])).toEqual(['second', 'second']);
    await runs.close();
    expect(openRuns(runsDir)).toEqual([]);
  },
);

/** A run that waits, while it closes, for a lock that is held until `release`: it has a publication to make. */
async function closingRun(runsDir: string) {
  const ref = await planned(runsDir, 'closing');
  const runs = createRuns({ runsDir, accounts: createAccounts(null), idleMs: 20 });
  const other = openLedger(ledgerPath(join(runsDir, 'closing')));
  const held = Promise.withResolvers<void>();
  const { run, locked } = await runs.during(ref, async () => {
    const opened = await runs.open(ref);
    opened.publisher.soon('all');
    return { run: opened, locked: other.withManifestLock(() => held.promise) };
  });
  await pause(60);
  const release = async (): Promise<void> => {
    held.resolve();
    await locked;
    await other.close();
  };
  return { ref, runs, run, release };
}

test('a step of a run that is closing opens it again once it is closed', async () => {
  const { ref, runs, run, release } = await closingRun(temporaryFolder());
  const next = runs.during(ref, async () => {
    const opened = await runs.open(ref);
    return { isOther: opened !== run, epoch: await opened.ledger.currentEpoch() };
  });
  await pause(60);
  await release();
  // Red without the wait: opening blocked this process in SQLite for 10 s, and failed.
  expect(await next).toEqual({ isOther: true, epoch: ref.epoch });
  await runs.close();
});

test('the end of a process waits for a run that is closing', async () => {
  const { runs, run, release } = await closingRun(temporaryFolder());
  const closed = runs.close().then(() => 'closed');
  // Red without it: the process ended without the publication.
  expect(await Promise.race([closed, pause(60, 'still closing')])).toBe('still closing');
  await release();
  await closed;
  await expect(run.ledger.currentEpoch()).rejects.toThrow(/finalized/);
});

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

test.skipIf(process.platform !== 'linux')(
  'a run that cannot be loaded after its ledger was opened does not stay open (/proc, so Linux)',
  async () => {
    const runsDir = temporaryFolder();
    const ref = await planned(runsDir, 'unreadable');
    const ledger = openLedger(ledgerPath(join(runsDir, 'unreadable')));
    await ledger.saveFact('reasoning model/m', 'not JSON');
    await ledger.close();
    const runs = createRuns({ runsDir, accounts: createAccounts(null) });
    await expect(runs.during(ref, () => runs.open(ref))).rejects.toThrow(/JSON/);
    // Red before: it stayed open until the process ended, and kept `gc` from the run.
    expect(openRuns(runsDir)).toEqual([]);
    expect(isOpenElsewhere(ledgerPath(join(runsDir, 'unreadable')))).toBe(false);
    await runs.close();
  },
);
