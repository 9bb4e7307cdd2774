/** Runs what the schedules of a store start. */
import { type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { sdkLogger } from '../sdk-log.ts';
import { connectWorker } from '../temporal/connection.ts';
import type { TemporalSettings } from '../temporal/settings.ts';
import { workflowBundle } from '../build/workflow-bundle.ts';
import { watchQueue } from './schedules.ts';
import { createWatchSteps, type RunProgram } from './watch-steps.ts';

export interface WatchService {
  readonly temporal: TemporalSettings;
  readonly runsDir: string;
  /** Specs and policies outside of this folder are refused. */
  readonly specsDir: string;
  readonly cacheDir: string;
  readonly program: RunProgram;
  readonly onLine: (line: string) => void;
}

export interface WatchServing {
  /** Stops the command in progress; the next process that serves retries it. */
  drain(): void;
  readonly done: Promise<void>;
}

/** Runs one command at a time, since the schedules of a directory share its machine. */
export async function serveWatch({
  temporal,
  runsDir,
  specsDir,
  cacheDir,
  program,
  onLine,
}: WatchService): Promise<WatchServing> {
  Runtime.install({ shutdownSignals: [], logger: sdkLogger(onLine) });
  const connection = await connectWorker(temporal, { onWaiting: onLine });
  const worker = await Worker.create({
    connection,
    namespace: temporal.namespace,
    taskQueue: watchQueue(runsDir),
    workflowBundle: await workflowBundle(cacheDir),
    activities: { ...createWatchSteps(runsDir, specsDir, program) },
    maxConcurrentActivityTaskExecutions: 1,
    shutdownGraceTime: '1 second',
  });
  return { drain: () => worker.shutdown(), done: servedThenClosed(worker, connection) };
}

async function servedThenClosed(worker: Worker, connection: NativeConnection): Promise<void> {
  try {
    await worker.run();
  } finally {
    await connection.close();
  }
}
