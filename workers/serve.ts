/** One worker process: its roles' task queues, served until it is told to stop or its owner is gone. */
import { setFlagsFromString } from 'node:v8';
import { type NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { accountFileIn } from '../activities/closed-accounts.ts';
import { createActivities } from '../activities/index.ts';
import { temporalHeartbeat } from '../activities/heartbeat.ts';
import { openSandbox } from '../activities/sandboxes/index.ts';
import type { Sandbox } from '../activities/sandboxes/sandbox.ts';
import type { WorkerConfig } from './config.ts';
import { connectWorker } from './temporal/connection.ts';
import { type Role, taskQueue } from './roles.ts';
import { sdkLogger } from './sdk-log.ts';
import { storeOf } from './store.ts';
import { sharingTuner } from './sharing-slots.ts';
import { sparingTuner } from './spare-time-slots.ts';
import { workflowBundle } from './workflow-bundle.ts';

/** Calls in flight end by their own limit (`timeoutMs`, an hour at most), since their replies are paid for; the owner may end the process before. */
const shutdownGraceTime = '61 minutes';
const shutdownForceTime = '62 minutes';

/** V8 collects at 1.6 times what is alive, not at twice: a long sweep stays under 500 MB per process. Set here, since a Node that lacks the flag only says so. */
const heapGrowth = '--heap-growing-percent=60';

export interface Serving {
  /** Takes no new calls, lets those in flight finish, then ends. */
  drain(): void;
  /** Resolves when every queue is drained; rejects when a worker failed. */
  readonly done: Promise<void>;
}

/** @param openBox opens the sandbox when the first program comes */
export async function serve(config: WorkerConfig, onLine: (line: string) => void, openBox = strongestSandbox(config)): Promise<Serving> {
  setFlagsFromString(heapGrowth);
  Runtime.install({ shutdownSignals: [], logger: sdkLogger(onLine) });
  const connection = await connectWorker(config.temporal, { onWaiting: onLine });
  const draining = new AbortController();
  const sandbox = lazySandbox(openBox);
  const activities = createActivities({
    runsDir: config.runsDir,
    accountFile: accountFileIn(config.cacheDir),
    referenceCache: config.referenceCache,
    executionCache: config.executionCache,
    onLine,
    heartbeat: temporalHeartbeat,
    servesCalls: config.roles.includes('llm'),
    servesPrograms: config.roles.includes('sandbox'),
    sandboxProcesses: config.sandboxProcesses,
    sandbox: sandbox.open,
    drain: draining.signal,
  });
  const workers = await Promise.all(config.roles.map((role) => createWorker(config, role, connection, activities)));
  activities.begin();
  const drain = (): void => {
    if (draining.signal.aborted) return;
    draining.abort();
    for (const worker of workers) worker.shutdown();
  };
  const running = Promise.all(workers.map((worker) => worker.run())).finally(drain);
  return { drain, done: closedAfter(running, () => closeAll(connection, sandbox, activities)) };
}

async function closedAfter(running: Promise<unknown>, close: () => Promise<void>): Promise<void> {
  try {
    await running;
  } finally {
    await close();
  }
}

type Activities = ReturnType<typeof createActivities>;

async function createWorker(config: WorkerConfig, role: Role, connection: NativeConnection, activities: Activities): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: config.temporal.namespace,
    taskQueue: taskQueue(storeOf(config.runsDir), role),
    shutdownGraceTime,
    shutdownForceTime,
    maxHeartbeatThrottleInterval: config.heartbeatThrottleMs,
    ...(await roleOptions(config, role, activities)),
  });
}

async function roleOptions(config: WorkerConfig, role: Role, activities: Activities): Promise<Partial<WorkerOptions>> {
  if (role === 'workflow') return { workflowBundle: await workflowBundle(config.cacheDir), maxCachedWorkflows: 200 };
  return { activities: { ...activities[role] }, ...slots(config, role, activities.isGiving) };
}

/** Each open poll for steps that ask may bring a step back that was given away, and one is enough for steps of a hundred calls. */
const onePoll = { activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 1 } } as const;

function slots({ roles, steps }: WorkerConfig, role: Exclude<Role, 'workflow'>, isGiving: () => boolean): Partial<WorkerOptions> {
  if (role === 'llm') return { tuner: sharingTuner(steps.llm, isGiving), ...onePoll };
  // Sealing is the io worker's task: any other process lends its spare time.
  if (role === 'seal' && !roles.includes('io')) return { tuner: sparingTuner(), ...onePoll };
  return { maxConcurrentActivityTaskExecutions: steps[role] };
}

const strongestSandbox =
  ({ sandboxProcesses }: WorkerConfig) =>
  (): Promise<Sandbox> =>
    openSandbox('auto', { processes: sandboxProcesses });

/** Opened by the first program that needs it, then kept. */
function lazySandbox(openBox: () => Promise<Sandbox>): { open: () => Promise<Sandbox>; close: () => Promise<void> } {
  let opened: Promise<Sandbox> | undefined;
  return {
    open: () => {
      opened ??= openBox();
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}

async function closeAll(connection: NativeConnection, sandbox: { close: () => Promise<void> }, activities: Activities): Promise<void> {
  await sandbox.close();
  await activities.close();
  await connection.close();
}
