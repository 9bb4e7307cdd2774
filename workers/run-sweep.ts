/** Owns one run: server, workers and the sweep workflow, until the sweep has ended or is told to stop. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Repair } from '../activities/repair-parts.ts';
import { takeUpParts } from '../activities/repair-run.ts';
import type { Ledger } from '../activities/storage/ledger.ts';
import { setRunState } from '../activities/storage/manifest.ts';
import { takeOwnership } from '../activities/storage/ownership.ts';
import { removeOrphans } from '../activities/storage/settle-parts.ts';
import { tables } from '../schemas/tables.ts';
import { MissingPartError } from '../domain/errors.ts';
import type { RunRef, SweepReport } from '../schemas/steps.ts';
import type { sweep } from '../workflows/index.ts';
import { heartbeatTimeoutMs } from './config.ts';
import { taskQueue } from './roles.ts';
import { storeOf } from './store.ts';
import { connectClient } from './temporal/connection.ts';
import type { Environment } from './temporal/cache-folder.ts';
import { settingsEnvironment } from './temporal/settings.ts';
import { openTemporal } from './open-temporal.ts';
import { defaultSplit, startWorkerProcesses } from './worker-processes.ts';
import { persist, pollMs, ServerLostError } from './persist.ts';

export interface SweepOptions {
  readonly runsDir: string;
  readonly runId: string;
  readonly uuid: string;
  readonly ledger: Ledger;
  /** The only model whose stop is lifted; every one where it is left out. */
  readonly retry?: string | undefined;
  readonly env: Environment;
  readonly onLine: (line: string) => void;
  /** Server and workers are on their way up; from here on the ledger moves. */
  readonly onStarted: () => void;
  /** Aborting drains the workers: calls in flight finish, programs are ended, the run stays resumable. */
  readonly signal: AbortSignal;
  /** Aborting ends the workers at once: calls in flight are lost, and charged at their estimate. */
  readonly leave: AbortSignal;
  /** What a call may take at most. */
  readonly callLimitMs: number;
}

export type SweepEnd =
  | { readonly kind: 'ended'; readonly report: SweepReport }
  | { readonly kind: 'interrupted' }
  /** Server or workers cannot be kept alive; the run goes on when it is started again. */
  | { readonly kind: 'given_up'; readonly reason: string }
  /** Another living process owns the run; nothing was done. */
  | { readonly kind: 'owned_elsewhere' };

/** Becomes the run's owner and sweeps it. Throws `MissingPartError` when server or workers cannot begin. */
export async function runSweep(options: SweepOptions): Promise<SweepEnd> {
  const folder = join(options.runsDir, options.runId);
  const ownership = takeOwnership(folder);
  if (ownership === null) return { kind: 'owned_elsewhere' };
  try {
    sayRepair(await takeUpParts(options), options.onLine);
    await setRunState(folder, 'running', null);
    liftStops(options.ledger, options.retry);
    return await ownedSweep(options);
  } finally {
    ownership.release();
  }
}

function sayRepair({ restored, replaced }: Repair, onLine: (line: string) => void): void {
  const count = restored.length + replaced.length;
  if (count > 0) onLine(`${count} part(s) were damaged or missing, and were made again from the ledger`);
}

/** Starting a run again means that it may go on, whatever stopped it; with one model to retry, the others stay stopped. */
function liftStops(ledger: Ledger, retry: string | undefined): void {
  ledger.setStop(null, null, 'started again');
  const stopped = ledger.progress().stopped.filter(({ model }) => model !== '*' && (retry === undefined || model === retry));
  for (const { model } of stopped) ledger.setStop(model, null, 'started again');
}

async function ownedSweep(options: SweepOptions): Promise<SweepEnd> {
  const { runsDir, env, onLine, signal } = options;
  const giveUp = new AbortController();
  const onGiveUp = (error: Error): void => giveUp.abort(error);
  const temporal = await openTemporal({ runsDir, env, onLine, onGiveUp });
  try {
    const epoch = options.ledger.takeOver(`${hostname()}/${process.pid}`);
    removeOrphans(join(runsDir, options.runId), options.ledger, Object.keys(tables));
    const run: RunRef = { runId: options.runId, uuid: options.uuid, epoch };
    const workerEnv = { ...env, ...settingsEnvironment(temporal.settings), EVENKEEL_RUNS: runsDir };
    if (signal.aborted) return { kind: 'interrupted' };
    options.onStarted();
    const workers = startWorkerProcesses({ split: defaultSplit, env: workerEnv, onLine, onGiveUp });
    try {
      const client = await connectClient(temporal.settings, { onWaiting: onLine });
      try {
        return await sweepToEnd(client, run, options, AbortSignal.any([signal, giveUp.signal]), temporal.settings.address);
      } finally {
        await client.connection.close();
      }
    } finally {
      await workers.stop({ callLimitMs: options.callLimitMs, leave: options.leave });
    }
  } finally {
    await temporal.close();
  }
}

/** A stop that comes while the server is away is a stop like any other. */
async function sweepToEnd(client: Client, run: RunRef, options: SweepOptions, signal: AbortSignal, address: string): Promise<SweepEnd> {
  const waiting = { what: `the Temporal server at ${address}`, onLine: options.onLine };
  try {
    return await followed(client, run, options, (ask) => persist(signal, waiting, ask), signal);
  } catch (error) {
    if (options.signal.aborted && error === signal.reason) return { kind: 'interrupted' };
    const isGivenUp = error === signal.reason && !(error instanceof MissingPartError);
    if (error instanceof Error && (isGivenUp || error instanceof ServerLostError)) return { kind: 'given_up', reason: error.message };
    throw error;
  }
}

type Patiently = <T>(ask: () => Promise<T>) => Promise<T>;

async function followed(client: Client, run: RunRef, options: SweepOptions, patiently: Patiently, signal: AbortSignal): Promise<SweepEnd> {
  const workflowId = `${run.uuid}/e${run.epoch}`;
  await patiently(() => terminateOlder(client, run));
  await patiently(() =>
    startSweep(client, run, workflowId, taskQueue(storeOf(options.runsDir), 'workflow'), heartbeatTimeoutMs(options.env)),
  );
  while (!signal.aborted) {
    const { status } = await patiently(() => client.workflow.getHandle(workflowId).describe());
    if (status.name !== 'RUNNING')
      return { kind: 'ended', report: await patiently(() => client.workflow.getHandle<typeof sweep>(workflowId).result()) };
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  throw signal.reason;
}

async function startSweep(client: Client, run: RunRef, workflowId: string, queue: string, timeoutMs: number): Promise<void> {
  await client.workflow.start<typeof sweep>('sweep', {
    workflowId,
    taskQueue: queue,
    args: [run],
    memo: { heartbeatTimeoutMs: timeoutMs },
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}

/**
 * The run folder is the truth, so a takeover always starts a sweep of its own: one way for crashes, lost databases and new versions. A sweep is started
 * when all before it are ended, so the newest that the server knows is the last that may go on.
 */
async function terminateOlder(client: Client, run: RunRef): Promise<void> {
  for (let epoch = run.epoch - 1; epoch > 0; epoch -= 1) {
    const handle = client.workflow.getHandle(`${run.uuid}/e${epoch}`);
    const known = await handle.describe().catch(nullIfNotFound);
    if (known === null) continue;
    if (known.status.name === 'RUNNING') await handle.terminate(`taken over by epoch ${run.epoch}`).catch(nullIfNotFound);
    return;
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null;
  throw error;
}
