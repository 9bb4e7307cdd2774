/**
 * The disk of the runs is full for a while, in the middle of a sweep; the disk of the caches is full all the time. What
 * the sweep gives is what it gives otherwise.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type KillRounds, openKillRounds, quickHeartbeats } from '../support/kills/kill-rounds.ts';
import { calls, runFolder, type Study, type Survival, survive, verify } from '../support/kills/kill-study.ts';
import { stableRows } from '../support/stable-rows.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

describe.skipIf(!isRoot)(`a full disk${isRoot ? '' : ' (skipped: needs Linux and root, to mount a small one)'}`, () => {
  let rounds: KillRounds;
  const mounted: string[] = [];
  beforeAll(async () => {
    rounds = await openKillRounds();
  });
  afterAll(async () => {
    for (const folder of mounted) execFileSync('umount', ['--lazy', folder]);
    await rounds?.close();
  });

  const mount = (folder: string, size: string): string => {
    mkdirSync(folder, { recursive: true });
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'evenkeel-full', folder]);
    mounted.push(folder);
    return folder;
  };

  const received = (): number => rounds.endpoint.log().filter(({ outcome }) => outcome === 'received').length;
  const expectTheSame = async (study: Study, { status, output }: Survival): Promise<void> => {
    expect(status, output).toBe(0);
    expect(await stableRows(runFolder(study))).toEqual(rounds.truth.rows);
    expect(calls(study)).toBe(rounds.truth.calls);
    const { status: verified, output: problems } = await verify(study);
    expect(verified, problems).toBe(0);
  };

  // Red before: the steps had used their attempts by then, and the command ended with 3.
  test('under the runs, for thirty seconds in the middle: the command waits and goes on', async () => {
    const study = rounds.newStudy('full', quickHeartbeats);
    mount(study.runsDir, '256m');
    const before = received();
    const first = survive(study, []);
    while (received() - before < rounds.truth.calls / 3) await sleep(5);
    const filler = join(study.runsDir, 'filler');
    fill(filler);
    expect(statfsSync(study.runsDir).bavail).toBe(0);
    await sleep(30_000);
    rmSync(filler);
    await expectTheSame(study, await first);
  });

  test('under the caches of executions and references, all the time', async () => {
    const cache = rounds.newCache();
    const full = mount(join(cache, 'references'), '64k');
    fill(join(full, 'filler'));
    const study = rounds.newStudy('uncached', {
      EVENKEEL_CACHE: cache,
      EVENKEEL_EXECUTION_CACHE: join(full, 'executions.sqlite'),
    });
    await expectTheSame(study, await survive(study, []));
  });
});

/** Writes until there is no room for a byte. */
function fill(path: string): void {
  for (const bytes of [1 << 22, 1 << 16, 1 << 12])
    for (;;)
      try {
        writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        break;
      }
}
