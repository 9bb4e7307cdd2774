/**
 * evenkeel as `run` sets it up, except for the sandbox. Sweeps are timed from the workflow's start
 * to the finished manifest.
 */
import { fileURLToPath } from 'node:url';
import { planRun } from '../../activities/runs/plan-run.ts';
import type { PlannedRun } from '../../activities/runs/plan-manifest.ts';
import { readManifest } from '../../activities/storage/manifest-file.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { RunRef } from '../../schemas/steps.ts';
import { buildId } from '../../workers/build/build-id.ts';
import { pinningOn } from '../../workers/build/pinning.ts';
import { startSweep } from '../../workers/start-sweep.ts';
import { storeOf } from '../../workers/store.ts';
import { openTemporal } from '../../workers/open-temporal.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { settingsEnvironment, type TemporalSettings } from '../../workers/temporal/settings.ts';
import { defaultSplit, startWorkerProcesses, type WorkerProcesses } from '../../workers/worker-processes.ts';
import { type ProcessUsage, since, usageOf } from './process-usage.ts';
import { stubSandbox } from './stub-sandbox.ts';
import { readyLine } from './worker.ts';
import { specOf, type Workload } from './workload.ts';

export interface SweepFigures {
  readonly runId: string;
  readonly samples: number;
  readonly seconds: number;
  readonly processes: readonly ProcessUsage[];
}

export interface Engine {
  /**
   * A new run over the workload in `folder`.
   * @param baseUrl of a simulator; null asks the models in the worker's process
   */
  sweep(workload: Workload, folder: string, baseUrl: string | null): Promise<SweepFigures>;
  close(): Promise<void>;
}

const workerEntry = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** As often as `run` reads its ledger. */
const lookMs = 500;

/** @param profiles folder for the workers' CPU profiles; null for none */
export async function openEngine(runsDir: string, profiles: string | null): Promise<Engine> {
  const temporal = await openTemporal({ runsDir, env: process.env, onLine: () => {}, onGiveUp: fail });
  const workers = await startWorkers(runsDir, temporal.settings, profiles);
  const server = temporal.pid === null ? {} : { 'temporal server': temporal.pid };
  const pids = { owner: process.pid, ...server, ...namedPids(workers) };
  let runs = 0;
  return {
    sweep: async (workload, folder, baseUrl) => {
      runs += 1;
      const runId = `bench-${runs}`;
      const planned = await planRun({
        ...specOf(folder, baseUrl, workload.models),
        runsDir,
        runId,
        sandbox: stubSandbox,
      });
      const owned = await runCatalog(runsDir).ownership(runId).take();
      try {
        return await timed(planned, runsDir, temporal.settings, workload, pids);
      } finally {
        await owned?.release();
        await planned.ledger.close();
      }
    },
    close: async () => {
      await workers.stop({ callLimitMs: 60_000 });
      await temporal.close();
    },
  };
}

function fail(error: Error): void {
  throw error;
}

/** Resolves when all workers are ready. */
async function startWorkers(
  runsDir: string,
  settings: TemporalSettings,
  profiles: string | null,
): Promise<WorkerProcesses> {
  const ready = Promise.withResolvers<void>();
  let waiting = defaultSplit.length;
  const onLine = (line: string): void => {
    if (line !== readyLine) process.stderr.write(`${line}\n`);
    else if (--waiting === 0) ready.resolve();
  };
  const profiling = profiles === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profiles}` };
  const env = { ...process.env, ...settingsEnvironment(settings), ...profiling, EVENKEEL_RUNS: runsDir };
  const workers = startWorkerProcesses({ split: defaultSplit, env, entry: workerEntry, onLine, onGiveUp: fail });
  await ready.promise;
  return workers;
}

const namedPids = (workers: WorkerProcesses): Record<string, number> =>
  Object.fromEntries(workers.pids().map((pid, index) => [`${defaultSplit[index]?.join('+')} worker`, pid]));

async function timed(
  { ledger, manifest, home }: PlannedRun,
  runsDir: string,
  settings: TemporalSettings,
  { samples }: Workload,
  pids: Readonly<Record<string, number>>,
): Promise<SweepFigures> {
  const ref: RunRef = { runId: manifest.runId, uuid: manifest.uuid, epoch: await ledger.takeOver('bench') };
  const client = await connectClient(settings);
  const pinning = await pinningOn(client.connection, settings.namespace, buildId());
  const usage = (): ProcessUsage[] => Object.entries(pids).map(([name, pid]) => usageOf(name, pid));
  const looking = setInterval(() => void ledger.progress(), lookMs);
  try {
    const before = usage();
    const startMs = performance.now();
    const sweep = await startSweep(client, ref, {
      store: storeOf(runsDir),
      pinning,
      sandbox: manifest.sandbox,
      heartbeatTimeoutMs: 20_000,
    });
    await sweep.result();
    const seconds = (performance.now() - startMs) / 1000;
    const processes = usage().map((now, index) => since(before[index] ?? now, now));
    await check(home.folder, (await ledger.progress()).answered, samples);
    return { runId: manifest.runId, samples, seconds, processes };
  } finally {
    clearInterval(looking);
    await client.connection.close();
  }
}

/** Throws if the sweep did not do what the benchmark is meant to measure. */
async function check(folder: string, answered: number, samples: number): Promise<void> {
  const { state, stateDetail, parts } = await readManifest(folder);
  const listed = parts.filter(({ table }) => table === 'samples').reduce((sum, { rows }) => sum + rows, 0);
  if (state === 'complete' && answered === samples && listed === samples) return;
  throw new Error(
    `expected ${samples} samples of a complete run, got ${answered} answered, ${listed} in tables, run ${state} ` +
      `(${stateDetail})`,
  );
}
