/** Configuration of a worker process, read once from its environment. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { Servers } from '../activities/storage/servers.ts';
import { InputError } from '../domain/errors.ts';
import { type LogSettings, logSettings } from './log/log-settings.ts';
import { type MetricsAddress, metricsAddress } from './metrics/address.ts';
import { parseRoles, type Role } from './roles.ts';
import { runsFolder } from './runs-folder.ts';
import { cacheFolder, type Environment } from './temporal/cache-folder.ts';
import { clusterSettings, type TemporalSettings } from './temporal/settings.ts';

export interface WorkerConfig {
  readonly temporal: TemporalSettings;
  readonly runsDir: string;
  /** Where the runs are, if not in the folder. */
  readonly servers: Servers | null;
  readonly roles: readonly Role[];
  readonly cacheDir: string;
  readonly referenceCache: string | null;
  readonly executionCache: string | null;
  readonly sandboxProcesses: number;
  /** Digest of the sandbox image that the owner's run was planned for; null in a worker that a person started. */
  readonly plannedImage: string | null;
  /** Build of the owner's program; null in a worker that a person started. */
  readonly plannedBuild: string | null;
  /** The run whose command started this process; null in a worker that a person started. */
  readonly ownedRun: string | null;
  /** Concurrent steps per role in this process. `llm` has one for each page that 24 lanes have in flight. */
  readonly steps: Readonly<Record<'llm' | 'sandbox' | 'io' | 'seal', number>>;
  readonly heartbeatThrottleMs: number;
  /** Where it serves its metrics; null if nobody asked for them. */
  readonly metrics: MetricsAddress | null;
  /** Null if nobody asked for a log. */
  readonly log: LogSettings | null;
}

export function workerConfig(env: Environment): WorkerConfig {
  const temporal = clusterSettings(env);
  if (!temporal)
    throw new InputError('must name the Temporal server, as host:port; `evenkeel run` sets it for its own workers', {
      field: 'TEMPORAL_ADDRESS',
    });
  const cacheDir = cacheFolder(env);
  return {
    temporal,
    ...runsFolder(env),
    roles: parseRoles(env['EVENKEEL_ROLES'] ?? 'workflow,llm,sandbox,io'),
    cacheDir,
    referenceCache: join(cacheDir, 'references'),
    executionCache: executionCacheFile(env),
    sandboxProcesses: positiveInteger(env, 'EVENKEEL_SANDBOX_PROCESSES', availableParallelism()),
    plannedImage: env['EVENKEEL_PLANNED_IMAGE'] ?? null,
    plannedBuild: env['EVENKEEL_PLANNED_BUILD'] ?? null,
    ownedRun: env['EVENKEEL_OWNED_RUN'] ?? null,
    steps: { llm: 96, sandbox: 32, io: 16, seal: 1 },
    heartbeatThrottleMs: positiveInteger(env, 'EVENKEEL_HEARTBEAT_THROTTLE_MS', 5_000),
    metrics: metricsAddress(env),
    log: logSettings(env, runsFolder(env).runsDir),
  };
}

/** `EVENKEEL_EXECUTION_CACHE`: a file, or `off`; by default a file among the other caches. */
export function executionCacheFile(env: Environment): string | null {
  const named = env['EVENKEEL_EXECUTION_CACHE'];
  if (named === 'off') return null;
  return named === undefined || named === '' ? join(cacheFolder(env), 'executions.sqlite') : resolve(named);
}

/** How long a step may send no heartbeat before it counts as lost. */
export const heartbeatTimeoutMs = (env: Environment): number =>
  positiveInteger(env, 'EVENKEEL_HEARTBEAT_TIMEOUT_MS', 20_000);

/** How long a run waits for the named server to answer before it begins. */
export const serverWaitMs = (env: Environment): number => positiveInteger(env, 'EVENKEEL_TEMPORAL_WAIT_MS', 30_000);

function positiveInteger(env: Environment, field: string, fallback: number): number {
  const text = env[field];
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InputError(`must be a whole number from 1, got "${text}"`, { field });
  return value;
}
