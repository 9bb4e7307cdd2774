/** The metrics of a run, served by its owner: its own, the run's progress, and those of its workers. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { Environment } from '../temporal/cache-folder.ts';
import { folderAddress, metricsAddress, metricsLine } from './address.ts';
import { joinedMetrics } from './metrics-text.ts';
import { readMetrics, serveMetrics } from './metrics-server.ts';

export interface OwnerMetrics {
  /** For the run's workers: they serve theirs to this process only. */
  readonly workerEnv: Environment;
  close(): void;
}

export interface MetricsOfRun {
  readonly runId: string;
  readonly ledger: Pick<Ledger, 'progress'>;
  readonly env: Environment;
  readonly onLine: (line: string) => void;
}

/** Does nothing unless EVENKEEL_METRICS is set. Throws the system's error for an address that cannot be used. */
export async function openOwnerMetrics({ runId, ledger, env, onLine }: MetricsOfRun): Promise<OwnerMetrics> {
  const address = metricsAddress(env);
  if (address === null || 'folder' in address) return { workerEnv: {}, close: () => {} };
  const { progressMetrics } = await import('./progress-metrics.ts');
  const own = progressMetrics(runId, ledger);
  // Only this user may enter it.
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-metrics-'));
  const close = (): void => rmSync(folder, { recursive: true, force: true });
  const render = async (): Promise<string> => {
    const sockets = readdirSync(folder).map((name) => readMetrics({ socketPath: join(folder, name) }));
    return joinedMetrics([await own(), ...(await Promise.all(sockets))]);
  };
  try {
    const server = await serveMetrics(address, render);
    onLine(metricsLine(address.host, server.port));
    return {
      workerEnv: { EVENKEEL_METRICS: folderAddress(folder) },
      close: () => {
        server.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
