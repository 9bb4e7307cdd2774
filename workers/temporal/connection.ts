/** Connections that wait for their server: a worker may start before the server, or while the server restarts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Connection, ConnectionOptions } from '@temporalio/client';
import type { NativeConnection, NativeConnectionOptions } from '@temporalio/worker';
import { MissingPartError } from '../../domain/errors.ts';
import { isRefusal, waitText } from '../retry-while-unreachable.ts';
import type { TemporalSettings } from './settings.ts';

const WAIT_MS = 60_000;
/** A wait of this length is named. */
const silentMs = 1_000;

export interface ConnectOptions {
  /** How long to go on trying. Default: 60,000. */
  readonly limitMs?: number;
  /** Called once with a line, when the first try fails or has taken a second. */
  readonly onWaiting?: (line: string) => void;
}

/**
 * A client of the settings' namespace. Close its `connection` when done. Throws `MissingPartError` when no server
 * answers in time.
 */
export async function connectClient(settings: TemporalSettings, options: ConnectOptions = {}): Promise<Client> {
  const { Client, Connection } = await import('@temporalio/client');
  const attempt = { ...clientOptions(settings), connectTimeout: Math.min(5_000, options.limitMs ?? WAIT_MS) };
  const connection = await untilAnswered(settings, options, () => Connection.connect(attempt));
  return new Client({ connection, namespace: settings.namespace });
}

/** A worker's connection. Close it when done. Throws `MissingPartError` when no server answers in time. */
export async function connectWorker(
  settings: TemporalSettings,
  options: ConnectOptions = {},
): Promise<NativeConnection> {
  const { NativeConnection } = await import('@temporalio/worker');
  return untilAnswered(settings, options, () => NativeConnection.connect(workerOptions(settings)));
}

/** Time limit for one answer of a running server. */
const checkMs = 5_000;

/** Throws `MissingPartError`, with the server's message, unless the server answers within the limit. */
export async function checkServer(
  settings: TemporalSettings,
  onWaiting: (line: string) => void,
  limitMs: number,
): Promise<void> {
  const { Connection } = await import('@temporalio/client');
  const attempt = { ...clientOptions(settings), connectTimeout: checkMs };
  const connection = await untilAnswered(settings, { limitMs, onWaiting }, () => Connection.connect(attempt));
  try {
    await connection.withDeadline(Date.now() + checkMs, () => describe(connection, settings.namespace));
  } catch (error) {
    throw new MissingPartError(unreachable(settings, checkMs, error instanceof Error ? error.message : String(error)));
  } finally {
    await connection.close();
  }
}

/** Asks once for the server's version and the namespace's description; true if both are answered. */
export async function isHealthy(settings: TemporalSettings, limitMs: number): Promise<boolean> {
  const { Connection } = await import('@temporalio/client');
  const connection = Connection.lazy(clientOptions(settings));
  try {
    await connection.withDeadline(Date.now() + limitMs, () => describe(connection, settings.namespace));
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}

async function describe(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.getSystemInfo({});
  await connection.workflowService.describeNamespace({ namespace });
}

async function untilAnswered<T>(
  settings: TemporalSettings,
  options: ConnectOptions,
  connect: () => Promise<T>,
): Promise<T> {
  const limitMs = options.limitMs ?? WAIT_MS;
  const startMs = performance.now();
  let isSaid = false;
  const say = (reason: string): void => {
    if (isSaid) return;
    isSaid = true;
    const waitedMs = performance.now() - startMs;
    options.onWaiting?.(waitText(`the Temporal server at ${settings.address}`, waitedMs, limitMs, reason));
  };
  const onFailure = (reason: string): void => {
    if (isRefusal(reason) || performance.now() > startMs + limitMs)
      throw new MissingPartError(unreachable(settings, limitMs, reason));
    say(reason);
  };
  // One try alone may take seconds.
  const silence = setTimeout(() => say('no answer yet'), silentMs);
  return untilConnected(connect, onFailure).finally(() => clearTimeout(silence));
}

/** @param onFailure gets the reason of each failed try, and throws to end them */
async function untilConnected<T>(connect: () => Promise<T>, onFailure: (reason: string) => void): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await connect();
    } catch (error) {
      onFailure(error instanceof Error ? error.message : String(error));
      await sleep(Math.min(250 * 2 ** attempt, 2_000));
    }
  }
}

const unreachable = (settings: TemporalSettings, limitMs: number, reason: string): string =>
  `the Temporal server at ${settings.address} (namespace ${settings.namespace}) refused the connection or did not ` +
  `answer within ${Math.round(limitMs / 1_000)} s: ${reason}. ` +
  'Is it running, and are TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and TEMPORAL_TLS right?';

function sharedOptions(settings: TemporalSettings) {
  return {
    address: settings.address,
    ...(settings.tls === null ? {} : { tls: settings.tls }),
    ...(settings.apiKey === null ? {} : { apiKey: settings.apiKey }),
  };
}

function workerOptions(settings: TemporalSettings): NativeConnectionOptions {
  // Within one machine, compressing takes longer than sending.
  return { ...sharedOptions(settings), ...(isLoopback(settings.address) && { grpcCompression: { codec: 'none' } }) };
}

function clientOptions(settings: TemporalSettings): ConnectionOptions {
  // gRPC would send even a loopback connection through the proxy that http_proxy names.
  const channelArgs = isLoopback(settings.address) ? { 'grpc.enable_http_proxy': 0 } : {};
  return { ...sharedOptions(settings), channelArgs };
}

const isLoopback = (address: string): boolean => /^(127\.|localhost:|\[::1\])/.test(address);
