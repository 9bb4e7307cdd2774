/** What a worker process tells of its work: metrics and a log, each only on request. */
import type { TelemetryOptions } from '@temporalio/worker';
import type { Observe } from '../activities/observed/events.ts';
import type { WorkerConfig } from './config.ts';
import { metricsLine } from './metrics/address.ts';
import type { WorkerMetrics } from './metrics/worker-metrics.ts';
import type { LogSettings } from './log/log-settings.ts';
import type { LogSource, RunLog } from './log/run-log.ts';

export interface Observing {
  /** Undefined if nobody asked. */
  readonly observe: Observe | undefined;
  /** For the Temporal SDK's runtime. */
  readonly runtime: { readonly telemetryOptions?: TelemetryOptions };
  readonly onLine: (line: string) => void;
  close(): void;
}

/** The libraries are loaded only for those who ask. */
export async function openObserving(config: WorkerConfig, onLine: (line: string) => void): Promise<Observing> {
  const log = await openLog(config.log, { process: nameOf(config) });
  const metrics = await openMetrics(config, onLine);
  const observers = [metrics?.observe, log?.observe].filter((observe) => observe !== undefined);
  return {
    observe: observers.length === 0 ? undefined : together(observers),
    runtime: metrics === null ? {} : { telemetryOptions: metrics.telemetry },
    // A worker of a run tells its lines to the owner, which logs them.
    onLine: config.plannedImage === null ? withLog(log, onLine) : onLine,
    close: () => {
      metrics?.close();
      log?.close();
    },
  };
}

const together =
  (observers: readonly Observe[]): Observe =>
  (event) => {
    for (const observe of observers) observe(event);
  };

/** Null if nobody asked for a log. */
export async function openLog(settings: LogSettings | null, source: LogSource): Promise<RunLog | null> {
  return settings === null ? null : (await import('./log/run-log.ts')).openRunLog(settings, source);
}

export const withLog =
  (log: RunLog | null, onLine: (line: string) => void) =>
  (line: string): void => {
    log?.line(line);
    onLine(line);
  };

const nameOf = ({ roles }: WorkerConfig): string => roles.join('+');

async function openMetrics(config: WorkerConfig, onLine: (line: string) => void): Promise<WorkerMetrics | null> {
  const { metrics } = config;
  if (metrics === null) return null;
  const { openWorkerMetrics } = await import('./metrics/worker-metrics.ts');
  const opened = await openWorkerMetrics(metrics, nameOf(config));
  if ('host' in metrics) onLine(metricsLine(metrics.host, opened.port));
  return opened;
}
