/** Kills what asks a run in batches at one of its fault points, continues it, and checks what was asked and stored. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { planRun } from '../../../activities/runs/plan-run.ts';
import { readInput, runBlobs } from '../../../activities/storage/blobs/run-blobs.ts';
import { readManifest } from '../../../activities/storage/manifest-file.ts';
import { openRunLedger } from '../../../activities/storage/run-ledger.ts';
import { ledgerPath } from '../../../activities/storage/run-paths.ts';
import { verifyLedger } from '../../../activities/storage/verify/verify-ledger.ts';
import { starterBenchmark } from '../../../cli/starter.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { PlanRevision } from '../../../schemas/plan.ts';
import { type BatchingServer, type BatchTraitsInput, startBatchingServer } from '../endpoints/batch-endpoint.ts';
import { ledgerNumber } from '../ledger-look.ts';
import { askAll } from './ask-all.ts';

/** Fault points of an undisturbed run, at least. */
export const leastPoints = 40;
const samples = 4;
const tasks = 3;

const script = fileURLToPath(new URL('./ask-all.ts', import.meta.url));

export interface BatchedRuns {
  /** A new run of the spec that nothing was asked for, and a server that nothing was sent to. */
  fresh(name: string, traits: BatchTraitsInput): Promise<FreshRun>;
  close(): Promise<void>;
}

export interface FreshRun {
  readonly runsDir: string;
  readonly runId: string;
  readonly folder: string;
  readonly server: BatchingServer;
  /** Asks in a process of its own, killed at a fault point if one is given; false if it was not killed. */
  ask(faultPoint?: number): Promise<boolean>;
  /** Every sample's text, by its place. */
  texts(): Promise<Record<string, string>>;
  number(sql: string): number;
}

/** The texts of a run whose batches nothing disturbs. */
export async function undisturbedTexts(runs: BatchedRuns): Promise<Record<string, string>> {
  const calm = await runs.fresh('calm', {});
  await askAll(calm.runsDir, calm.runId);
  return calm.texts();
}

export async function openBatchedRuns(): Promise<BatchedRuns> {
  const runsDir = mkdtempSync(join(tmpdir(), 'evenkeel-batches-'));
  const servers: BatchingServer[] = [];
  const first = await startBatchingServer(runsDir, { able: {} });
  const { port } = new URL(first.url);
  await planned(runsDir, first.url);
  await first.close();
  return {
    async fresh(runId, traits) {
      await Promise.all(servers.splice(0).map(({ close }) => close()));
      const folder = join(runsDir, runId);
      cpSync(join(runsDir, 'planned'), folder, { recursive: true });
      const server = await startBatchingServer(folder, { able: traits }, Number(port));
      servers.push(server);
      return {
        ...{ runsDir, runId, folder, server },
        ask: (point = 0) => asked(runsDir, runId, point),
        texts: () => textsOf(folder),
        number: (sql) => ledgerNumber(folder, sql) ?? Number.NaN,
      };
    },
    close: async () => {
      await Promise.all(servers.map(({ close }) => close()));
      rmSync(runsDir, { recursive: true, force: true });
    },
  };
}

/** A dollar for a million tokens of the prompt, four for those of the answer. */
const specText = (url: string): string => `name: planned
providers: { sim: { kind: openai, baseUrl: "${url}", limits: { concurrency: 4 } } }
models: [{ id: able, provider: sim, mode: batch, price: { inputUsdPerMillion: 1, outputUsdPerMillion: 4 } }]
benchmarks: { starter: { format: evenkeel, path: "${starterBenchmark}", tasks: { limit: ${tasks} } } }
studies: [{ name: samples, kind: pass, benchmark: starter, settings: { samples: ${samples} } }]
`;

async function planned(runsDir: string, url: string): Promise<void> {
  const text = specText(url);
  const spec = parseSpec(text, 'planned.yaml');
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' } as const;
  const run = { spec, text, folder: runsDir, runsDir, runId: 'planned', sandbox };
  await (await planRun(run)).ledger.close();
}

async function asked(runsDir: string, runId: string, faultPoint: number): Promise<boolean> {
  const env = { ...process.env, EVENKEEL_FAULT_POINT: String(faultPoint) };
  const args = ['--disable-warning=ExperimentalWarning', script, runsDir, runId];
  return promisify(execFile)(process.execPath, args, { env }).then(
    () => false,
    (error: Error & { signal?: string; stderr?: string }) => {
      expect(error.signal, error.stderr).toBe('SIGKILL');
      return true;
    },
  );
}

async function textsOf(folder: string): Promise<Record<string, string>> {
  const manifest = await readManifest(folder);
  const ledger = await openRunLedger(folder, manifest);
  try {
    const { pages } = JSON.parse(await readInput(runBlobs(folder), manifest.plan[0] as never)) as PlanRevision;
    const texts: [string, string][] = [];
    for (const { page } of pages)
      for (const { key, reply } of await ledger.samples(page))
        texts.push([`${page} ${key.cell} ${key.sample}`, reply.text]);
    return Object.fromEntries(texts);
  } finally {
    await ledger.close();
  }
}

export const allSamples = samples * tasks;

/** Everything is answered, nothing was asked twice, and nothing is left waiting or reserved. */
export async function expectAskedOnce(run: FreshRun, truth: Record<string, string>, at: string): Promise<void> {
  expect(await run.texts(), at).toEqual(truth);
  expect(run.server.answered().length, at).toBe(allSamples);
  expect(run.number("select count(*) from intent where state in ('open', 'batched', 'lost')"), at).toBe(0);
  expect(run.number('select reserved_nano_usd + reserved_tokens + live + lost from run'), at).toBe(0);
  expect(run.number("select count(*) from batch where state != 'ended'"), at).toBe(0);
  expect(verifyLedger(ledgerPath(run.folder), false).problems, at).toEqual([]);
}

/**
 * Kills a new run at a point, maybe again at the same point of its continuation, and lets it end. False if it ends
 * before that point.
 */
export async function survivesKillAt(
  runs: BatchedRuns,
  truth: Record<string, string>,
  point: number,
  traits: BatchTraitsInput = {},
  at = `killed at point ${point}`,
): Promise<boolean> {
  const run = await runs.fresh(`killed-${at.replaceAll(/\W+/g, '-')}`, traits);
  if (!(await run.ask(point))) return false;
  await run.ask(Math.ceil(point / 2));
  expect(await run.ask(), at).toBe(false);
  await expectAskedOnce(run, truth, at);
  rmSync(run.folder, { recursive: true, force: true });
  return true;
}
