/** What the owner of a run tells of it: metrics and a log, each only on request. */
import { logSettings } from './log/log-settings.ts';
import { type MetricsOfRun, openOwnerMetrics } from './metrics/owner-metrics.ts';
import { openLog, withLog } from './observing.ts';
import type { Environment } from './temporal/cache-folder.ts';

export interface OwnerObserving {
  /** Of the run's workers, too. */
  readonly env: Environment;
  readonly onLine: (line: string) => void;
  close(): void;
}

export async function openOwnerObserving(run: MetricsOfRun & { readonly runsDir: string }): Promise<OwnerObserving> {
  const log = await openLog(logSettings(run.env, run.runsDir), { process: 'owner', run: run.runId });
  const onLine = withLog(log, run.onLine);
  try {
    const metrics = await openOwnerMetrics({ ...run, onLine });
    return {
      env: { ...run.env, ...metrics.workerEnv },
      onLine,
      close: () => {
        metrics.close();
        log?.close();
      },
    };
  } catch (error) {
    log?.close();
    throw error;
  }
}
