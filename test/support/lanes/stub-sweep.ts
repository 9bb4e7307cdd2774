/** Sweeps over stubbed work on the real server, by worker processes that may be killed. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import type { RunRef } from '../../../schemas/steps.ts';
import { connectClient } from '../../../workers/temporal/connection.ts';
import { ensureServer } from '../../../workers/temporal/embedded-server.ts';
import { readServerRecord } from '../../../workers/temporal/server-files.ts';
import { stopProcess } from '../../../workers/temporal/process-identity.ts';
import { settingsOf } from '../../../workers/temporal/start-server.ts';
import { type Command, startProgram } from '../command.ts';
import { until } from '../deployment.ts';
import { temporalExecutable } from '../temporal.ts';
import { plannedPages, type StubPlan } from './stub-plan.ts';

const program = fileURLToPath(new URL('stub-worker.ts', import.meta.url));

export interface StubServer {
  readonly client: Client;
  readonly address: string;
}

export async function openStubServer(folder: string): Promise<StubServer & { close(): Promise<void> }> {
  const stateDir = join(folder, '.temporal');
  const { address } = await ensureServer({
    stateDir,
    executable: await temporalExecutable(),
    onProgress: () => {},
  });
  const client = await connectClient(settingsOf(Number(address.split(':')[1])));
  return {
    client,
    address,
    close: async () => {
      await client.connection.close();
      const server = readServerRecord(stateDir);
      if (server !== null) await stopProcess(server, 5_000);
    },
  };
}

export interface StubSweep {
  readonly run: RunRef;
  readonly ledger: string;
  startWorker(held?: string): Promise<Command>;
  /** Starts workflow `type`, whose only argument is `input`. */
  start(type: 'sweep' | 'lane', input: object): Promise<WorkflowHandleWithFirstExecutionRunId>;
}

/** @param store names task queues and workflow of this sweep */
export async function openStubSweep(
  { client, address }: StubServer,
  folder: string,
  store: string,
  plan: StubPlan,
): Promise<StubSweep> {
  const path = join(folder, `${store}.sqlite`);
  const ledger = openLedger(path);
  await ledger.addPages(plannedPages(plan));
  const epoch = await ledger.takeOver('a test');
  await ledger.close();
  return {
    run: { runId: store, uuid: store, epoch },
    ledger: path,
    async startWorker(held) {
      const args = [address, store, path, JSON.stringify(plan), ...(held === undefined ? [] : [held])];
      const worker = startProgram([program, ...args], { env: process.env });
      await until(() => worker.stdout().includes('ready'), worker);
      return worker;
    },
    start: (type, input) =>
      client.workflow.start(type, {
        workflowId: store,
        taskQueue: `${store}-workflow`,
        args: [input],
        memo: { heartbeatTimeoutMs: 4_000 },
        workflowTaskTimeout: '2s',
      }),
  };
}

export interface HistorySize {
  readonly workflowId: string;
  readonly type: string;
  readonly events: number;
  /** Of the largest payload: an argument, a result or a memo's value. */
  readonly payloadBytes: number;
}

/** The histories of everything that the server has run whose id begins with `prefix` and that `where` lets through. */
export async function historySizes(client: Client, prefix: string, where?: string): Promise<HistorySize[]> {
  const sizes: HistorySize[] = [];
  const query = [`WorkflowId STARTS_WITH "${prefix}"`, ...(where === undefined ? [] : [where])].join(' and ');
  for await (const { workflowId, runId, type } of client.workflow.list({ query })) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    sizes.push({ workflowId, type, events: events?.length ?? 0, payloadBytes: largestPayload(events) });
  }
  return sizes;
}

/** Payloads are the only byte arrays in a history, under the name `data`. */
function largestPayload(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (value === null || typeof value !== 'object') return 0;
  return Object.values(value).reduce<number>((most, one) => Math.max(most, largestPayload(one)), 0);
}
