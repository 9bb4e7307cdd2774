/** Owns one run (server, workers and the sweep workflow) until the sweep has ended or is told to stop. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { SandboxIdentity } from '../activities/judging/execution-key.ts';
import { openPlannedSandbox } from '../activities/judging/planned-sandbox.ts';
import type { Ledger } from '../activities/storage/ledger/ledger.ts';
import { runCatalog } from '../activities/storage/catalog/open-catalog.ts';
import { refuseElsewhere } from '../activities/storage/catalog/run-catalog.ts';
import { MissingPartError } from '../domain/errors.ts';
import type { RunRef, SweepReport } from '../schemas/steps.ts';
import type { sweep } from '../workflows/index.ts';
import { silentAround, silentTextFor, tellSilent } from './beats/silent-workers.ts';
import { beginSweep, type BegunSweep, nextEpoch } from './begin-sweep.ts';
import { buildId } from './build/build-id.ts';
import { type Pinning, pinningOn } from './build/pinning.ts';
import { untilRegistered } from './build/registered.ts';
import { heartbeatTimeoutMs } from './config.ts';
import { openOwnerObserving, type OwnerObserving } from './observing-owner.ts';
import { endedFromOutside, failedStep } from './failed-sweep.ts';
import { isEpochUsed, queuesOf, startSweep, sweepId, terminateOlder } from './start-sweep.ts';
import { stopAtOthers, untilAnswered } from './calls-elsewhere.ts';
import { storeOf } from './store.ts';
import { connectClient } from './temporal/connection.ts';
import { hasSearchAttributes, isUnknownAttribute } from './temporal/search-attributes.ts';
import type { Environment } from './temporal/cache-folder.ts';
import { settingsEnvironment } from './temporal/settings.ts';
import { openTemporal } from './open-temporal.ts';
import { defaultSplit, startWorkerProcesses } from './worker-processes.ts';
import { retryWhileUnreachable, pollMs, ServerLostError } from './retry-while-unreachable.ts';

/**
 * After the end of its sweep, a run has its answers. What a worker holds of other runs was given to others by then,
 * which is after `heartbeatTimeoutMs`.
 */
const endSilentMs = (env: Environment): number => Math.max(45_000, heartbeatTimeoutMs(env) + 5_000);

export interface SweepOptions extends BegunSweep {
  /** Whether to take the run from a detached sweep. */
  readonly fromDetached: boolean;
  /** Called when server and workers start; from then on the ledger changes. */
  readonly onStarted: () => void;
  /** Aborting drains the workers: calls in flight finish, programs are killed, and the run can be resumed. */
  readonly signal: AbortSignal;
  /** Aborting kills the workers at once: calls in flight are lost, and charged at their estimate. */
  readonly leave: AbortSignal;
  /** Longest time that a call may take. */
  readonly callLimitMs: number;
}

export type SweepEnd =
  | { readonly kind: 'ended'; readonly report: SweepReport }
  | { readonly kind: 'interrupted' }
  /** Server or workers cannot be kept alive, or a step keeps failing; the run can be started again to resume it. */
  | { readonly kind: 'given_up'; readonly reason: string }
  /** Another living process owns the run: before this one began, or since this one was cut off from the servers. */
  | { readonly kind: 'owned_elsewhere' };

/** Becomes the run's owner and runs its sweep. Throws `MissingPartError` when server or workers cannot start. */
export async function runSweep(options: SweepOptions): Promise<SweepEnd> {
  const catalog = runCatalog(options.runsDir);
  const owned = await catalog.ownership(options.runId).take({ fromDetached: options.fromDetached });
  if (owned === null) return { kind: 'owned_elsewhere' };
  let observing: OwnerObserving | null = null;
  try {
    // It may have been moved since it was found.
    refuseElsewhere(options.runId, await catalog.home(options.runId).manifest());
    await (await openPlannedSandbox(options.sandbox)).close();
    observing = await openOwnerObserving(options);
    const observed = { ...options, env: observing.env, onLine: observing.onLine };
    await beginSweep(observed);
    return await ownedSweep(observed);
  } finally {
    observing?.close();
    await owned.release();
  }
}

async function ownedSweep(options: SweepOptions): Promise<SweepEnd> {
  const { runsDir, env, onLine, signal } = options;
  const giveUp = new AbortController();
  const onGiveUp = (error: Error): void => giveUp.abort(error);
  const temporal = await openTemporal({ runsDir, env, onLine, onGiveUp });
  try {
    const run = await nextEpoch(options);
    const build = buildId();
    const own = {
      ...settingsEnvironment(temporal.settings),
      ...sandboxEnvironment(options.sandbox),
      EVENKEEL_RUNS: runsDir,
      EVENKEEL_PLANNED_BUILD: build,
      EVENKEEL_OWNED_RUN: options.runId,
    };
    const workerEnv = { ...env, ...own };
    if (signal.aborted) return { kind: 'interrupted' };
    options.onStarted();
    const { folder } = runCatalog(runsDir).home(options.runId);
    // Of an owner that was killed.
    tellSilent(folder, []);
    const workers = startWorkerProcesses({
      ...{ split: defaultSplit, env: workerEnv, onLine, onGiveUp },
      onSilent: (silent) => tellSilent(folder, silent),
    });
    let end: SweepEnd | null = null;
    try {
      const client = await connectClient(temporal.settings, { onWaiting: onLine });
      try {
        end = await sweepToEnd(
          client,
          run,
          { ...options, build, isEmbedded: temporal.pid !== null },
          AbortSignal.any([signal, giveUp.signal]),
          temporal.settings.address,
        );
        return end;
      } finally {
        await client.connection.close();
      }
    } finally {
      const others = signal.aborted && (await temporal.isShared());
      if (others) await stopAtOthers(options.ledger);
      await workers.stop({ ...options, ...(end?.kind === 'ended' && { endSilentMs: endSilentMs(env) }) });
      if (others) await untilAnsweredElsewhere(folder, options);
    }
  } finally {
    await temporal.close();
  }
}

/** A worker of another run that is stopped keeps its calls for as long as a call may take. */
async function untilAnsweredElsewhere(folder: string, options: SweepOptions): Promise<void> {
  for (const worker of silentAround(folder)) options.onLine(silentTextFor(options.runId, worker));
  await untilAnswered(options);
}

interface OwnedSweep extends SweepOptions {
  readonly build: string;
  /** Whether the server is evenkeel's own, which has no Worker Versioning on purpose. */
  readonly isEmbedded: boolean;
}

/** A stop requested while the server is unreachable counts as a normal stop. */
async function sweepToEnd(
  client: Client,
  begun: RunRef,
  options: OwnedSweep,
  signal: AbortSignal,
  address: string,
): Promise<SweepEnd> {
  const waiting = { what: `the Temporal server at ${address}`, onLine: options.onLine };
  const retrying: Retrying = (ask) => retryWhileUnreachable(signal, waiting, ask);
  let run = begun;
  const isUsed = (): Promise<boolean> => isEpochUsed(client, run);
  try {
    while (await retrying(isUsed)) run = await nextEpoch(options);
    return await followed(client, run, options, retrying, signal);
  } catch (error) {
    // The run's state is the new owner's.
    if (await isTakenOver(options.ledger, run)) return { kind: 'owned_elsewhere' };
    if (options.signal.aborted && error === signal.reason) return { kind: 'interrupted' };
    const step = failedStep(error) ?? endedFromOutside(error);
    if (step !== null) return { kind: 'given_up', reason: step };
    const isGivenUp = error === signal.reason && !(error instanceof MissingPartError);
    if (error instanceof Error && (isGivenUp || error instanceof ServerLostError))
      return { kind: 'given_up', reason: error.message };
    throw error;
  }
}

const isTakenOver = (ledger: Ledger, { epoch }: RunRef): Promise<boolean> =>
  ledger.currentEpoch().then(
    (current) => current > epoch,
    () => false,
  );

type Retrying = <T>(ask: () => Promise<T>) => Promise<T>;

async function followed(
  client: Client,
  run: RunRef,
  options: OwnedSweep,
  retrying: Retrying,
  signal: AbortSignal,
): Promise<SweepEnd> {
  const { sandbox, env } = options;
  const pinning = await retrying(() => pinningOfSweep(client, options));
  const store = storeOf(options.runsDir);
  const deployment = { store, pinning, sandbox, heartbeatTimeoutMs: heartbeatTimeoutMs(env) };
  const workflowId = sweepId(run);
  await retrying(() => terminateOlder(client, run));
  await retrying(() => untilRegistered(client, { ...deployment, queues: queuesOf(deployment), signal }));
  const isSearchable = await hasSearchAttributes(client, options.onLine);
  const start = (searchable: boolean): Promise<unknown> =>
    retrying(() => startSweep(client, run, { ...deployment, isSearchable: searchable }));
  await start(isSearchable).catch((error: unknown) =>
    isUnknownAttribute(error) ? start(false) : Promise.reject(error),
  );
  while (!signal.aborted) {
    const { status } = await retrying(() => client.workflow.getHandle(workflowId).describe());
    if (status.name !== 'RUNNING')
      return {
        kind: 'ended',
        report: await retrying(() => client.workflow.getHandle<typeof sweep>(workflowId).result()),
      };
    await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
  throw signal.reason;
}

const pinningOfSweep = (client: Client, { build, isEmbedded, onLine }: OwnedSweep): Promise<Pinning> =>
  pinningOn(client.connection, client.options.namespace, build, (reason) => {
    if (!isEmbedded)
      onLine(
        'note: the Temporal server has no Worker Versioning, so names of task queues keep this run to its build of ' +
          `the program: ${reason}`,
      );
  });

/**
 * Makes the run's workers use the sandbox that it was planned for, not the one this machine would choose for a new run.
 */
const sandboxEnvironment = ({ tier, imageDigest }: SandboxIdentity): Environment => ({
  EVENKEEL_SANDBOX: tier,
  EVENKEEL_PLANNED_IMAGE: imageDigest,
});
