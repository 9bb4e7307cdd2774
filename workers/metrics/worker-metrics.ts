/** Metrics of one worker process: what it does, its memory, and the Temporal SDK's own. Loaded only on request. */
import { join } from 'node:path';
import { subscribe } from 'node:diagnostics_channel';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { TelemetryOptions } from '@temporalio/worker';
import type { Observe } from '../../activities/observed/events.ts';
import { ledgerGroups } from '../../activities/storage/ledger/sqlite/group-commit.ts';
import { findFreePort } from '../temporal/free-port.ts';
import type { MetricsAddress } from './address.ts';
import { joinedMetrics } from './metrics-text.ts';
import { type MetricsServer, readMetrics, serveMetrics } from './metrics-server.ts';
import { countLedgerGroups, runMetrics } from './run-metrics.ts';

export interface WorkerMetrics {
  readonly observe: Observe;
  /** For `Runtime.install`. */
  readonly telemetry: TelemetryOptions;
  readonly port: number;
  close(): void;
}

/** @param processName value of the label `process` of all its metrics */
export async function openWorkerMetrics(address: MetricsAddress, processName: string): Promise<WorkerMetrics> {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  subscribe(ledgerGroups.name, countLedgerGroups(registry));
  const sdk = { host: '127.0.0.1', port: await findFreePort() };
  const server: MetricsServer = await serveMetrics(
    'folder' in address ? { path: join(address.folder, `${processName}.sock`) } : address,
    async () => joinedMetrics([await registry.metrics(), await readMetrics(sdk)]),
  );
  return {
    observe: runMetrics(registry),
    telemetry: {
      metrics: {
        globalTags: { process: processName },
        prometheus: {
          bindAddress: `${sdk.host}:${sdk.port}`,
          countersTotalSuffix: true,
          unitSuffix: true,
          useSecondsForDurations: true,
        },
      },
    },
    port: server.port,
    close: server.close,
  };
}
