/** What the environment says for a run's server and workers, looked at before anything is made or asked. */
import { heartbeatTimeoutMs, serverWaitMs, workerConfig } from './config.ts';
import type { Environment } from './temporal/cache-folder.ts';
import { checkCache } from './temporal/check-cache.ts';
import { checkServer } from './temporal/connection.ts';
import { clusterSettings } from './temporal/settings.ts';

/** Throws `InputError` for a variable that breaks its rule, and `MissingPartError` when the server that TEMPORAL_ADDRESS names lets nobody in. */
export async function checkEnvironment(env: Environment, onLine: (line: string) => void): Promise<void> {
  checkCache(env);
  const settings = clusterSettings(env);
  // A run's own workers get their roles, and the address where none is named, from their owner.
  workerConfig({ ...env, EVENKEEL_ROLES: undefined, ...(settings === null && { TEMPORAL_ADDRESS: 'localhost:7233' }) });
  heartbeatTimeoutMs(env);
  if (settings !== null) await checkServer(settings, onLine, serverWaitMs(env));
}
