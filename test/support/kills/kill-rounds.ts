/**
 * Compares sweeps whose processes are killed with an undisturbed one. Kill times come from a new seed each time, which
 * is printed.
 */
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { seedOf, uniform } from '../../../domain/random.ts';
import { cacheFolder } from '../../../workers/temporal/cache-folder.ts';
import { cachedCli } from '../../../workers/temporal/cli-version.ts';
import { randomMoments } from './kill-moments.ts';
import {
  answeredIntents,
  calls,
  intents,
  type Kill,
  loops,
  runFolder,
  type Study,
  type Subject,
  type Survival,
  survive,
  verify,
} from './kill-study.ts';
import { startMortalEndpoint } from '../endpoints/mortal-endpoint.ts';
import { processesWith } from '../processes.ts';
import {
  type SimulatedBenchmark,
  type SimulatedEndpoint,
  startSimulatedEndpoint,
} from '../endpoints/simulated-endpoint.ts';
import { stableRows } from '../stable-rows.ts';

/** Without a given moment, a kill comes at a random call of the sweep. */
export type PlannedKill = Omit<Kill, 'moment'> & Partial<Pick<Kill, 'moment'>>;

export interface KillRounds {
  readonly endpoint: SimulatedEndpoint;
  readonly random: () => number;
  readonly truth: { readonly calls: number; readonly rows: Readonly<Record<string, readonly string[]>> };
  newStudy(name: string, env?: NodeJS.ProcessEnv): Study;
  /** Disturbs a new sweep and expects the same result as without disturbance. */
  survives(name: string, env: NodeJS.ProcessEnv, kills: readonly PlannedKill[]): Promise<void>;
  /** A new cache folder, so that references are run again; the server's program is that of the machine. */
  newCache(): string;
  close(): Promise<void>;
}

/** Short enough for a test, long enough that a busy machine's heartbeats come in time. */
export const quickHeartbeats = { EVENKEEL_HEARTBEAT_TIMEOUT_MS: '6000', EVENKEEL_HEARTBEAT_THROTTLE_MS: '1000' };

export async function openKillRounds(
  subject: Subject = loops,
  benchmark?: SimulatedBenchmark | 'mortal',
  calmEnv: NodeJS.ProcessEnv = {},
): Promise<KillRounds> {
  const seed = Number(process.env['EVENKEEL_KILL_SEED'] ?? randomInt(2 ** 31));
  say(`kill times come from EVENKEEL_KILL_SEED=${seed}`);
  const random = uniform(seedOf('kills', seed));
  const root = mkdtempSync(join(tmpdir(), 'evenkeel-kills-'));
  const log = join(root, 'requests.jsonl');
  const endpoint =
    benchmark === 'mortal' ? await startMortalEndpoint(log, 60) : await startSimulatedEndpoint(log, 60, benchmark);
  const newStudy = (name: string, env: NodeJS.ProcessEnv = {}): Study => ({
    endpoint,
    subject,
    runsDir: join(root, name),
    env: { ...process.env, ...env },
  });
  const calm = newStudy('undisturbed', calmEnv);
  const { status, received, output } = await survive(calm, []);
  expect(status, output).toBe(0);
  const truth = { calls: received, rows: await stableRows(runFolder(calm)) };
  return {
    endpoint,
    random,
    truth,
    newStudy,
    async survives(name, env, kills) {
      const study = newStudy(name, env);
      await expectUndisturbed(truth, study, await survive(study, withMoments(kills, truth.calls, random)));
    },
    newCache: () => newCache(join(root, 'cache')),
    async close() {
      // A test that timed out leaves its sweep running.
      for (const { pid } of processesWith(root)) process.kill(pid, 'SIGKILL');
      await endpoint.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function withMoments(kills: readonly PlannedKill[], calls: number, random: () => number): Kill[] {
  const moments = randomMoments(kills.filter(({ moment }) => moment === undefined).length, calls, random).values();
  return kills.map((kill) => ({ ...kill, moment: kill.moment ?? moments.next().value }) as Kill);
}

async function expectUndisturbed(truth: KillRounds['truth'], study: Study, survival: Survival): Promise<void> {
  const { status, output, received, answered, inFlight, kills, left } = survival;
  const repeated = received - truth.calls;
  say([...kills, `${repeated} calls repeated, ${inFlight} were in flight`].join('\n'));
  expect(status, output).toBe(0);
  expect(await stableRows(runFolder(study))).toEqual(truth.rows);
  expect(repeated).toBeLessThanOrEqual(inFlight);
  expect(calls(study)).toBe(truth.calls);
  // Every request has an intent, and every answer in the ledger came from the endpoint.
  expect(intents(study)).toBeGreaterThanOrEqual(received);
  expect(answeredIntents(study)).toBeLessThanOrEqual(answered);
  const { status: verified, output: problems } = await verify(study);
  expect(verified, problems).toBe(0);
  expect(left.map(({ pid, command }) => `${pid} ${command}`)).toEqual([]);
}

function newCache(folder: string): string {
  mkdirSync(folder);
  const machine = cacheFolder(process.env);
  const kept = [dirname(cachedCli(machine)), join(machine, 'workflows')];
  for (const one of kept.filter((path) => existsSync(path))) symlinkSync(one, join(folder, basename(one)));
  return folder;
}

const say = (text: string): void => void process.stdout.write(`${text}\n`);
