/** Workers that are replaced by those of another build under a running sweep, as `kubectl set image` does it. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { copyProgram } from '../../../../support/builds/program-copy.ts';
import { done, newMachine } from '../../../../support/hosts/machine.ts';
import { inFull, long } from '../../../../support/forms/long.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { type Fleet, openFleet, runId } from './fleet.ts';
import { onObjects } from '../on-objects.ts';
import { onPostgres } from '../on-postgres.ts';

const patience = { timeout: 60_000 };
let fleet: Fleet;

/** The same program by what it does, and another build. */
const olderProgram = (): string =>
  copyProgram(join(temporaryFolder(), 'older'), [
    { file: 'domain/counted.ts', from: '/**', to: '/** Of an older build. */\n/**' },
  ]);

onPostgres('an upgrade on PostgreSQL', () => {
  onObjects('and S3', () => {
    beforeAll(async () => {
      fleet = await openFleet();
    }, 120_000);
    afterAll(() => fleet?.close());

    // Red where a worker that is told to end drops its calls, or where `resume` asks again what was answered.
    long(
      `loses no call: old workers end with their calls, and the run goes on with the new ones${inFull}`,
      async () => {
        const { spec, gate } = fleet;
        const truth = await fleet.undisturbed();
        const older = olderProgram();
        const store = await fleet.newStore();
        const olds = await fleet.startWorkers(store, older);
        const before = fleet.received();
        gate.letThrough(10);
        await done(newMachine(store.servers, older).evenkeel('run', spec, '--detach', '--no-probe'));
        await expect.poll(() => gate.isHolding(), patience).toBe(true);

        // New ones first. They leave the sweep to its build.
        await fleet.startWorkers(store);
        for (const old of olds) old.process.kill('SIGTERM');
        gate.open();
        expect(await Promise.all(olds.map(({ ended }) => ended))).toEqual([0, 0]);
        expect(fleet.received() - before).toBeLessThan(truth.requests);
        expect(await fleet.state(store)).toBe('owned');

        await done(newMachine(store.servers).evenkeel('resume', runId, '--detach', '--no-probe'));
        await expect.poll(() => fleet.state(store), patience).toBe('complete');
        expect(await fleet.rows(store)).toEqual(truth.rows);
        expect(fleet.received() - before).toBe(truth.requests);
      },
      300_000,
    );

    // Red where queues or versions do not keep builds apart.
    long(
      `leaves a sweep to its own build as long as one of its workers is there${inFull}`,
      async () => {
        const { spec, gate } = fleet;
        const older = olderProgram();
        const store = await fleet.newStore();
        await fleet.startWorkers(store, older);
        gate.letThrough(10);
        await done(newMachine(store.servers, older).evenkeel('run', spec, '--detach'));
        await expect.poll(() => gate.isHolding(), patience).toBe(true);
        const news = await fleet.startWorkers(store);
        gate.open();
        await expect.poll(() => fleet.state(store), patience).toBe('complete');
        expect(await fleet.rows(store)).toEqual((await fleet.undisturbed()).rows);
        expect(news.map((worker) => worker.stderr()).join('')).toContain('were started by another build of evenkeel');
      },
      300_000,
    );
  });
});
