/** A run that goes from a folder to servers and back, while it and its moves are killed. */
import { randomInt } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { starterBenchmark } from '../../../../../cli/starter.ts';
import type { Manifest } from '../../../../../schemas/manifest.ts';
import { type Command, type CommandEnd, endOf, startCommand, startProgram } from '../../../../support/command.ts';
import { until } from '../../../../support/deployment.ts';
import { inFull, long } from '../../../../support/forms/long.ts';
import { descendantsOf } from '../../../../support/processes.ts';
import { stableRows } from '../../../../support/stable-rows.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { openCatalog } from '../../catalog-address.ts';
import { newObjects, onObjects } from '../on-objects.ts';
import { newPostgresStore, onPostgres } from '../on-postgres.ts';
import { mainFile } from './main-file.ts';

const specOf = (latencyMs: number): string => `name: moving
models:
  - { id: steady, provider: simulated, profile: { competence: 0.8, driftPerLoop: 0.2, latencyMs: ${latencyMs} } }
  - { id: shaky, provider: simulated, profile: { competence: 0.5, driftPerLoop: 0.4, latencyMs: ${latencyMs} } }
benchmarks:
  b: { format: evenkeel, path: ${JSON.stringify(starterBenchmark)}, tasks: { limit: 12 } }
studies:
  - { name: loops, kind: evaloop, benchmark: b, settings: { maxLoops: 4, judge: none } }
  - { name: plain, kind: pass, benchmark: b, settings: { samples: 6 } }
`;

interface Places {
  readonly folder: string;
  readonly store: string;
  readonly blobs: string;
  /** A command that works with folders, and one that works with the servers. */
  here(args: readonly string[], env?: NodeJS.ProcessEnv): Command;
  there(args: readonly string[], env?: NodeJS.ProcessEnv): Command;
}

async function newPlaces(latencyMs: number): Promise<Places> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'moving.yaml'), specOf(latencyMs));
  const [store, blobs] = [await newPostgresStore('ek_worker'), newObjects()];
  const start = (args: readonly string[], env: NodeJS.ProcessEnv): Command =>
    startProgram([mainFile, ...args], {
      env: { ...process.env, ...env },
      cwd: folder,
    });
  return {
    ...{ folder, store, blobs },
    here: (args, env = {}) => start(args, { EVENKEEL_RUNS: 'runs', ...env }),
    there: (args, env = {}) => start(args, { EVENKEEL_STORE: store, EVENKEEL_BLOBS: blobs, ...env }),
  };
}

const toServers = ({ here, store, blobs }: Places, env?: NodeJS.ProcessEnv): Command =>
  here(['move', 'moving', '--to', store, '--blobs', blobs], env);
const toFolder = ({ there }: Places, env?: NodeJS.ProcessEnv): Command =>
  there(['move', 'moving', '--to', 'runs'], env);

async function done(command: Command): Promise<CommandEnd> {
  const end = await endOf(command);
  expect(end.status, end.output).toBe(0);
  return end;
}

async function killed(command: Command): Promise<void> {
  for (const pid of [command.pid, ...descendantsOf(command.pid).map((one) => one.pid)]) process.kill(pid, 'SIGKILL');
  await command.ended;
}

/** Waits until the run that a command carries out has this many answers. */
async function answersOf(command: Command, answers: number, status: () => Command): Promise<void> {
  for (let answered = 0; answered < answers && command.isRunning(); await sleep(50)) {
    const end = await endOf(status());
    answered = end.status === 0 ? JSON.parse(end.stdout).progress.answered : 0;
  }
  expect(command.isRunning(), command.output()).toBe(true);
}

/** @returns its address */
async function startedTemporal(folder: string): Promise<string> {
  const temporal = startCommand(['server', '--runs-dir', join(folder, 'temporal')]);
  onTestFinished(async () => {
    temporal.process.kill('SIGTERM');
    await temporal.ended;
  });
  await until(() => temporal.stdout().includes('Temporal serves'), temporal);
  return /serves ([^,]+)/.exec(temporal.stdout())?.[1] ?? '';
}

/** Copies that `resume` would continue. */
async function copiesThatGoOn({ folder, store, blobs }: Places): Promise<string[]> {
  const catalogs = {
    folder: openCatalog(join(folder, 'runs')),
    servers: openCatalog(JSON.stringify({ store, blobs, cache: temporaryFolder() })),
  };
  const found: string[] = [];
  for (const [name, catalog] of Object.entries(catalogs)) {
    const manifest: Manifest | null = (await catalog.has('moving')) ? (await catalog.find('moving')).manifest : null;
    if (manifest !== null && manifest.moved === undefined && manifest.arriving === undefined) found.push(name);
  }
  return found;
}

/** The run without kills, and the same run again where the moves begin. */
async function undisturbed({ folder, here }: Places) {
  await done(here(['run', 'moving.yaml', '--runs-dir', 'truth']));
  return stableRows(join(folder, 'truth', 'moving'));
}

const limitMs = 240_000;

onPostgres('between a folder and PostgreSQL', () => {
  onObjects('with S3', () => {
    // Red if the copy lacks an answer, or if a call that was in flight is not lost with its charge.
    long(
      `a run that is killed goes to servers, is killed there, comes back and ends as an undisturbed one${inFull}`,
      async () => {
        const places = await newPlaces(150);
        const { folder, here, there } = places;
        const temporalEnv = { TEMPORAL_ADDRESS: await startedTemporal(folder) };
        const truth = await undisturbed(places);
        const begun = here(['run', 'moving.yaml'], temporalEnv);
        await answersOf(begun, 30, () => here(['status', 'moving', '--json']));
        const active = await endOf(toServers(places));
        expect([active.status, active.stderr]).toEqual([2, expect.stringContaining('is active')]);
        await killed(begun);
        await done(toServers(places));
        const taken = await endOf(there(['move', 'moving', '--to', 'truth']));
        expect([taken.status, taken.stderr]).toEqual([2, expect.stringContaining('has a run "moving" already')]);
        const refused = await endOf(here(['resume', 'moving'], temporalEnv));
        expect(refused.status).toBe(2);
        expect(refused.stderr).toContain('was moved to postgres://');
        const resumed = there(['resume', 'moving'], temporalEnv);
        await answersOf(resumed, 80, () => there(['status', 'moving', '--json']));
        await killed(resumed);
        await done(toFolder(places));
        expect((await endOf(there(['pause', 'moving']))).stderr).toContain(`was moved to ${join(folder, 'runs')}`);
        await done(here(['resume', 'moving'], temporalEnv));
        expect(await stableRows(join(folder, 'runs', 'moving'))).toEqual(truth);
        expect((await done(here(['verify', 'moving']))).stdout).toContain('run "moving" is intact');
      },
      limitMs,
    );

    // Red without the marks: after a kill, both copies could be continued.
    test(
      'a move that is killed at any step is repeated, and never do both copies go on',
      async () => {
        const places = await newPlaces(0);
        const { folder, here, there } = places;
        const truth = await undisturbed(places);
        cpSync(join(folder, 'truth'), join(folder, 'runs'), { recursive: true });
        const seed = Number(process.env['EVENKEEL_FAULT_SEED'] ?? randomInt(2 ** 31));
        process.stdout.write(`points come from EVENKEEL_FAULT_SEED=${seed}\n`);
        for (const [from, moving] of [
          ['folder', toServers],
          ['servers', toFolder],
        ] as const) {
          let kills = 0;
          const points = [seed % 40, 40 + (seed % 90), 130 + (seed % 400)].map((point) => String(1 + point));
          for (const point of points) {
            const end = await endOf(moving(places, { EVENKEEL_FAULT_POINT: point }));
            expect([0, 'SIGKILL'], end.output).toContain(end.status);
            const goOn = await copiesThatGoOn(places);
            expect(goOn.length, `after a kill at point ${point} from the ${from}: ${goOn}`).toBeLessThanOrEqual(1);
            if (end.status === 0) break;
            kills += 1;
          }
          expect(kills, `points ${points.join(', ')}`).toBeGreaterThan(0);
          const end = await done(moving(places));
          expect(end.stdout).toContain('run "moving" is in');
          expect(await copiesThatGoOn(places)).toEqual([from === 'folder' ? 'servers' : 'folder']);
        }
        expect((await done(there(['status', 'moving']))).stdout).toContain('moved to');
        expect(await stableRows(join(folder, 'runs', 'moving'))).toEqual(truth);
        expect((await done(here(['verify', 'moving']))).stdout).toContain('run "moving" is intact');
      },
      limitMs,
    );
  });
});
