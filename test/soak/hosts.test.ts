/**
 * A run on three hosts (network namespaces) whose network, processes and clocks fail. What it brings is what an
 * undisturbed run on one machine brings. Each store is new, and each host has a home of its own.
 */
import { globSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres } from '../../scripts/cluster/postgres-server.ts';
import { noHosts } from '../../scripts/cluster/hosts.ts';
import { descendantsOf } from '../support/processes.ts';
import type { Command } from '../support/command.ts';
import { until } from '../support/deployment.ts';
import { concurrency, done, type HostBed, openHostBed, type Round, runId } from '../support/hosts/host-bed.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const missing = findPostgres() === null ? 'no PostgreSQL 15 or newer' : noHosts();
const note = missing === null ? '' : ` (skipped: ${missing})`;
/** After so long without an answer, the servers' TCP gives a connection up: see the sessions' settings. */
const tcpGivesUpMs = 25_000;

type Env = Readonly<Record<string, string>>;

/** Debian's package libfaketime. */
const [fakeTime = null] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

/** Waits take as long as ever: a wrong clock is not a slow one. */
const clockBy = (shift: string): Env => ({
  LD_PRELOAD: fakeTime ?? '',
  FAKETIME: shift,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

describe.skipIf(missing !== null)(`a run on three hosts survives${note}`, { timeout: 600_000 }, () => {
  let bed: HostBed;
  beforeAll(async () => {
    bed = await openHostBed(3, say);
  }, 600_000);
  afterAll(() => bed?.close());

  const [first, second, third] = [0, 1, 2].map((index) => () => bed.hosts[index] as HostBed['hosts'][number]) as [
    () => HostBed['hosts'][number],
    () => HostBed['hosts'][number],
    () => HostBed['hosts'][number],
  ];

  /**
   * The command on the first host, a worker on the second; returns when a third of the calls were asked.
   * @param clocks variables of both hosts
   */
  async function underWay(round: Round, clocks: readonly Env[] = []): Promise<{ command: Command; worker: Command }> {
    const worker = round.start(second(), ['worker'], clocks[1]);
    await until(() => worker.stderr().includes('serving workflow'), worker);
    const command = round.start(first(), ['run', round.spec], clocks[0]);
    await asked(round, 1 / 3, command);
    return { command, worker };
  }

  async function asked(round: Round, share: number, command: Command): Promise<void> {
    while (round.received() < share * bed.asked) {
      expect(command.isRunning(), command.output()).toBe(true);
      await sleep(20);
    }
  }

  async function stopWorker(worker: Command): Promise<void> {
    worker.process.kill('SIGTERM');
    await worker.ended;
  }

  test.each([5, 60, 300])("a worker's host that is cut off for %d s, and comes back", async (seconds) => {
    const round = await bed.round(`cut${seconds}`);
    const { command, worker } = await underWay(round);
    second().cut();
    await sleep(seconds > 30 ? tcpGivesUpMs : 0);
    if (seconds > 30) round.giveUp(second());
    await sleep(1000 * seconds - (seconds > 30 ? tcpGivesUpMs : 0));
    second().restore();
    await done(command);
    await stopWorker(worker);
    await round.isWhole(concurrency);
  });

  test("the command's host is cut off, another resumes, and the first comes back as the loser", async () => {
    const round = await bed.round('owner');
    const { command, worker } = await underWay(round);
    first().cut();
    await sleep(tcpGivesUpMs);
    round.giveUp(first());
    const resumed = round.start(third(), ['resume', runId]);
    await sleep(5_000);
    first().restore();
    await done(resumed);
    // It watches the new owner, and shows the end. Red where it ends with `unexpected failure`.
    expect(await done(command)).toContain('is already running in another process');
    await stopWorker(worker);
    await round.isWhole(2 * concurrency);
  });

  test("a worker's processes that stand still for longer than their lease", async () => {
    const round = await bed.round('still');
    const { command, worker } = await underWay(round);
    const pids = [worker.pid, ...descendantsOf(worker.pid).map(({ pid }) => pid)];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await sleep(40_000);
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await done(command);
    await stopWorker(worker);
    await round.isWhole(concurrency);
  });

  test('slow links of one host, and connections of the other that break every two seconds', async () => {
    const round = await bed.round('slow');
    const { database, objects, temporal } = bed.links;
    for (const link of [database, objects, temporal]) link.delay(second(), 60);
    const { command, worker } = await underWay(round);
    const breaking = setInterval(() => {
      for (const link of [database, objects, temporal]) link.breakOff(first());
    }, 2_000);
    try {
      await done(command);
    } finally {
      clearInterval(breaking);
      for (const link of [database, objects, temporal]) link.delay(second(), 0);
    }
    await stopWorker(worker);
    await round.isWhole(2 * concurrency);
  });

  test.skipIf(fakeTime === null)(
    `clocks of two hosts that are ten minutes ahead and behind${fakeTime === null ? ' (skipped: no libfaketime)' : ''}`,
    async () => {
      const round = await bed.round('clocks');
      const { command, worker } = await underWay(round, [clockBy('+10m'), clockBy('-10m')]);
      await done(command);
      await stopWorker(worker);
      await round.isWhole(0);
    },
  );
});
