/** Runs that no process owns: `--detach` starts their sweep, and workers on other machines carry it out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../../../../support/command.ts';
import { until } from '../../../../support/deployment.ts';
import { done, killAll, newMachine } from '../../../../support/hosts/machine.ts';
import { inFull, long } from '../../../../support/forms/long.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { type Fleet, openFleet, runId } from './fleet.ts';
import { onObjects } from '../on-objects.ts';
import { onPostgres } from '../on-postgres.ts';

const patience = { timeout: 60_000 };
let fleet: Fleet;

onPostgres('detached runs on PostgreSQL', () => {
  onObjects('and S3', () => {
    beforeAll(async () => {
      fleet = await openFleet();
    }, 120_000);
    afterAll(() => fleet?.close());

    test('a run is refused without workers, goes on without a command, and stops as it is told', async () => {
      const { spec, gate } = fleet;
      const store = await fleet.newStore();
      const desk = newMachine(store.servers);
      const early = await desk.evenkeel('run', spec, '--detach');
      expect(early.status, early.output).toBe(2);
      expect(early.stderr).toMatch(
        /no worker of this build of the program \(\w{12}\) has served .*start `evenkeel worker`/,
      );
      await fleet.startWorkers(store);

      gate.letThrough(10);
      const begun = await done(desk.evenkeel('run', spec, '--detach', '--json'));
      expect(JSON.parse(begun.stdout)).toEqual({ run: runId, state: 'running', detached: true });
      expect(begun.stderr).toContain('goes on without this command');
      expect(begun.stderr).not.toContain('no worker of this build waits');
      await expect.poll(() => gate.isHolding(), patience).toBe(true);
      const other = newMachine(store.servers);
      expect((await done(other.evenkeel('status', runId))).stdout).toContain('apart: running');
      const again = await done(other.evenkeel('run', spec, '--detach'));
      expect(again.stderr).toContain('goes on without a command already');
      expect((await other.evenkeel('gc', runId, '--yes')).output).toContain('a process works on it');

      await done(desk.evenkeel('pause', runId));
      gate.open();
      await expect.poll(() => fleet.state(store), patience).toBe('incomplete');
      await done(desk.evenkeel('resume', runId, '--detach'));
      await expect.poll(() => fleet.state(store), patience).toBe('complete');
      expect(await fleet.rows(store)).toEqual((await fleet.undisturbed()).rows);
    }, 240_000);

    long(
      `a command takes a detached run over, also when its workers are gone${inFull}`,
      async () => {
        const { spec, gate } = fleet;
        const store = await fleet.newStore();
        const workers = await fleet.startWorkers(store);
        gate.letThrough(10);
        await done(newMachine(store.servers).evenkeel('run', spec, '--detach'));
        await expect.poll(() => gate.isHolding(), patience).toBe(true);
        const watching = newMachine(store.servers).start('run', spec);
        await until(() => watching.stderr().includes('is already running without a command; watching it'), watching);
        for (const worker of workers) killAll(worker);
        gate.open();
        const taken = await done(newMachine(store.servers).evenkeel('resume', runId));
        expect(taken.stderr).not.toContain('watching it');
        expect(await watching.ended, watching.output()).toBe(0);
        expect(await fleet.rows(store)).toEqual((await fleet.undisturbed()).rows);
      },
      240_000,
    );

    long(
      `a detached run whose step cannot succeed ends in words, and has no owner any more${inFull}`,
      async () => {
        const { spec, gate } = fleet;
        const store = await fleet.newStore();
        gate.letThrough(0);
        const attached = newMachine(store.servers).start('run', spec, '--no-probe');
        await until(() => gate.isHolding(), attached);
        killAll(attached);
        await attached.ended;
        gate.open();
        await fleet.startWorkers(store);
        const home = store.catalog.home(runId);
        const [tasks] = Object.values((await home.manifest()).benchmarks);
        await home.blobs.remove(tasks?.file ?? '');
        await done(newMachine(store.servers).evenkeel('resume', runId, '--detach'));
        await expect.poll(() => fleet.state(store), patience).toBe('incomplete');
        const told = await done(newMachine(store.servers).evenkeel('status', runId));
        expect(told.stdout).toMatch(/a step failed: .*missing/);
      },
      240_000,
    );
  });
});

test('in a folder, a run cannot be detached, in words', async () => {
  const { status, stderr } = await runCommand(['run', 'x.yaml', '--detach', '--runs-dir', temporaryFolder()]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/--detach.*needs a store on servers .*nohup, tmux/s);
});
