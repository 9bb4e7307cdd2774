/** One worker process: it serves its roles' task queues until it is told to stop or its owner dies. */
import { setFlagsFromString } from 'node:v8';
import { type NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { InputError } from '../domain/errors.ts';
import { accountStoreOf } from '../activities/calls/accounts/open-store.ts';
import { createActivities } from '../activities/index.ts';
import { temporalHeartbeat } from '../activities/heartbeat.ts';
import { refuseOtherSandbox } from '../activities/judging/planned-sandbox.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { Servers } from '../activities/storage/servers.ts';
import { noteWorker } from './beats/noted-workers.ts';
import { buildId } from './build/build-id.ts';
import { deploymentOptions, type Pinning, pinningOn } from './build/pinning.ts';
import { workflowBundle } from './build/workflow-bundle.ts';
import type { WorkerConfig } from './config.ts';
import { openObserving } from './observing.ts';
import { connectWorker } from './temporal/connection.ts';
import { type Role, sandboxQueue, taskQueue } from './roles.ts';
import { sdkLogger } from './sdk-log.ts';
import { storeOf } from './store.ts';
import { sharingTuner } from './sharing-slots.ts';
import { spareTimeTuner } from './spare-time-slots.ts';

/**
 * Replies are paid for, so calls in flight run up to their own limit (`timeoutMs`, an hour at most). The owner may kill
 * the process earlier.
 */
const shutdownGraceTime = '61 minutes';
const shutdownForceTime = '62 minutes';

/**
 * Makes V8 collect when the heap is 1.6 times the live data instead of twice, which keeps a long sweep under 500 MB per
 * process. Set here, since a Node without this flag only warns.
 */
const heapGrowth = '--heap-growing-percent=60';

export interface Serving {
  /** The queue of each role, in their order. */
  readonly queues: readonly string[];
  /** Takes no new calls, lets those in flight finish, then ends. */
  drain(): void;
  /** Resolves when every queue is drained; rejects when a worker failed. */
  readonly done: Promise<void>;
}

/**
 * @param openBox opens the sandbox if this process runs programs, since the queue is named for it;
 *   starts no sandbox process yet
 */
export async function serve(
  config: WorkerConfig,
  say: (line: string) => void,
  openBox = strongestSandbox(config),
): Promise<Serving> {
  // Before anything is polled: a worker that cannot use its store would fail steps, or take none in silence.
  if (config.servers !== null) await proveServers(config.servers, config.runsDir);
  const sandbox = config.roles.includes('sandbox') ? await openBox() : null;
  refuseOther(config, sandbox);
  setFlagsFromString(heapGrowth);
  const { observe, runtime, onLine, close } = await openObserving(config, say);
  Runtime.install({ shutdownSignals: [], logger: sdkLogger(onLine), ...runtime });
  const connection = await connectWorker(config.temporal, { onWaiting: onLine });
  const build = buildId();
  refuseOtherBuild(config, build);
  const pinning = await pinningOn(connection, config.temporal.namespace, build);
  const shared = { connection, ...deploymentOptions(storeOf(config.runsDir), pinning) };
  const draining = new AbortController();
  const activities = createActivities({
    runsDir: config.runsDir,
    accountStore: accountStoreOf(config.cacheDir),
    referenceCache: config.referenceCache,
    executionCache: config.executionCache,
    onLine,
    sayToPerson: config.plannedImage === null ? onLine : undefined,
    observe,
    heartbeat: temporalHeartbeat,
    servesCalls: config.roles.includes('llm'),
    sandboxProcesses: config.sandboxProcesses,
    sandbox,
    drain: draining.signal,
  });
  const served = config.roles.map((role) => ({ role, queue: queueOf(config, pinning, role, sandbox) }));
  const workers = await Promise.all(
    served.map(({ role, queue }) => createWorker(config, queue, role, shared, activities)),
  );
  activities.begin();
  const forget = noteWorker(config.runsDir, { roles: [...config.roles], run: config.ownedRun });
  const drain = (): void => {
    if (draining.signal.aborted) return;
    draining.abort();
    for (const worker of workers) worker.shutdown();
  };
  const running = Promise.all(workers.map((worker) => worker.run())).finally(drain);
  return {
    queues: served.map(({ queue }) => queue),
    drain,
    done: closedAfter(running, () => closeAll(connection, sandbox, activities).finally(close)).finally(forget),
  };
}

/** Loads the libraries of servers, which no other store needs. */
async function proveServers(servers: Servers, runsDir: string): Promise<void> {
  const { openServers } = await import('../activities/storage/postgres/open-servers.ts');
  await openServers(servers, runsDir, 'worker');
}

async function closedAfter(running: Promise<unknown>, close: () => Promise<void>): Promise<void> {
  try {
    await running;
  } finally {
    await close();
  }
}

type Activities = ReturnType<typeof createActivities>;

function queueOf({ runsDir }: WorkerConfig, pinning: Pinning, role: Role, sandbox: Sandbox | null): string {
  const store = storeOf(runsDir);
  return role === 'sandbox' && sandbox !== null
    ? sandboxQueue(store, pinning, sandbox.imageDigest)
    : taskQueue(store, pinning, role);
}

async function createWorker(
  config: WorkerConfig,
  queue: string,
  role: Role,
  shared: Pick<WorkerOptions, 'connection' | 'workerDeploymentOptions'>,
  activities: Activities,
): Promise<Worker> {
  return Worker.create({
    ...shared,
    namespace: config.temporal.namespace,
    taskQueue: queue,
    shutdownGraceTime,
    shutdownForceTime,
    maxHeartbeatThrottleInterval: config.heartbeatThrottleMs,
    ...(await roleOptions(config, role, activities)),
  });
}

async function roleOptions(config: WorkerConfig, role: Role, activities: Activities): Promise<Partial<WorkerOptions>> {
  if (role === 'workflow') return { workflowBundle: await workflowBundle(config.cacheDir), maxCachedWorkflows: 200 };
  return { activities: { ...activities[role] }, ...slots(config, role, activities) };
}

/**
 * One poll is enough, since a step holds up to a hundred calls; each further open poll could take back a step that was
 * just handed over.
 */
const onePoll = { activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 1 } } as const;

function slots(
  { roles, steps }: WorkerConfig,
  role: Exclude<Role, 'workflow'>,
  { isHandingOver, stepsWaiting }: Activities,
): Partial<WorkerOptions> {
  if (role === 'llm') return { tuner: sharingTuner(steps.llm, isHandingOver, stepsWaiting), ...onePoll };
  // Sealing is the io worker's job; other processes lend their spare time.
  if (role === 'seal' && !roles.includes('io')) return { tuner: spareTimeTuner(), ...onePoll };
  return { maxConcurrentActivityTaskExecutions: steps[role] };
}

const strongestSandbox =
  ({ sandboxProcesses, cacheDir, plannedImage }: WorkerConfig) =>
  (): Promise<Sandbox> =>
    openSandbox('auto', {
      ...{ processes: sandboxProcesses, cacheFolder: cacheDir },
      ...(plannedImage !== null && { plannedImage }),
    });

/** With another sandbox this worker would serve another queue, and the owner's run would wait forever. */
function refuseOther({ plannedImage }: WorkerConfig, sandbox: Sandbox | null): void {
  if (plannedImage === null || sandbox === null) return;
  refuseOtherSandbox({ engine: sandbox.tier, imageDigest: plannedImage }, sandbox);
}

/** A process that was restarted after an update of the program would serve other queues, or other steps. */
function refuseOtherBuild({ plannedBuild }: WorkerConfig, build: string): void {
  if (plannedBuild === null || plannedBuild === build) return;
  throw new InputError(
    `the program was changed while the run goes on: the run has build ${plannedBuild}, and this is ${build}. ` +
      'Nothing is lost: `evenkeel resume` continues the run with the program as it is now',
  );
}

async function closeAll(connection: NativeConnection, sandbox: Sandbox | null, activities: Activities): Promise<void> {
  await sandbox?.close();
  await activities.close();
  await connection.close();
}
