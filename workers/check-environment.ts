/** Checks the environment variables of a run's server and workers before anything is created or asked. */
import { heartbeatTimeoutMs, serverWaitMs, workerConfig } from './config.ts';
import { checkLog } from './log/check-log.ts';
import type { Environment } from './temporal/cache-folder.ts';
import { checkCache } from './temporal/check-cache.ts';
import { refuseWithoutCluster } from './open-temporal.ts';
import { checkServer } from './temporal/connection.ts';
import { clusterSettings } from './temporal/settings.ts';

/**
 * @throws `InputError` for an invalid variable; the system's error for a log that cannot be written;
 *   `MissingPartError` if the server at TEMPORAL_ADDRESS refuses the connection or does not answer
 */
export async function checkEnvironment(env: Environment, onLine: (line: string) => void): Promise<void> {
  checkCache(env);
  checkLog(env);
  const settings = clusterSettings(env);
  if (settings === null) refuseWithoutCluster();
  // The run gives its own workers their roles, and the address if none is set.
  workerConfig({ ...env, EVENKEEL_ROLES: undefined, ...(settings === null && { TEMPORAL_ADDRESS: 'localhost:7233' }) });
  heartbeatTimeoutMs(env);
  if (settings !== null) await checkServer(settings, onLine, serverWaitMs(env));
}
