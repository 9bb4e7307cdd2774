/** `server` and `worker`: run one part of a deployment in its own process. */
import { buildId } from '../../workers/build/build-id.ts';
import { openTemporal } from '../../workers/open-temporal.ts';
import { storeName } from '../../activities/storage/opened-store.ts';
import { parseRoles } from '../../workers/roles.ts';
import { type ServedStore, reportWhileUnused } from '../../workers/served-store.ts';
import { storeOf } from '../../workers/store.ts';
import { connectClient } from '../../workers/temporal/connection.ts';
import { settingsEnvironment, type TemporalSettings } from '../../workers/temporal/settings.ts';
import { workerConfig } from '../../workers/config.ts';
import { checkMetricsAddress } from '../../workers/metrics/check-address.ts';
import { serve } from '../../workers/serve.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { stopSignal } from '../stop-signal.ts';
import type { Terminal } from '../output/terminal.ts';

export async function server({ runsDir }: { runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const failed = Promise.withResolvers<never>();
  const temporal = await openTemporal({ runsDir, env: process.env, onLine: terminal.note, onGiveUp: failed.reject });
  const stopped = stopSignal();
  terminal.out(
    `Temporal serves ${temporal.settings.address}, namespace ${temporal.settings.namespace}; Ctrl-C stops it`,
  );
  terminal.document({ address: temporal.settings.address, namespace: temporal.settings.namespace, pid: temporal.pid });
  try {
    await Promise.race([stopped, failed.promise]);
  } finally {
    await temporal.close();
  }
  return exitStatus.done;
}

/** Connects to TEMPORAL_ADDRESS, else to the server of the runs directory. */
export async function worker(options: { roles: string; runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const roles = parseRoles(options.roles);
  await checkMetricsAddress(process.env);
  const failed = Promise.withResolvers<never>();
  const temporal = await openTemporal({
    runsDir: options.runsDir,
    env: process.env,
    onLine: terminal.note,
    onGiveUp: failed.reject,
  });
  try {
    const env = {
      ...process.env,
      ...settingsEnvironment(temporal.settings),
      EVENKEEL_RUNS: options.runsDir,
      EVENKEEL_ROLES: roles.join(','),
    };
    const serving = await serve(workerConfig(env), terminal.note);
    void stopSignal().then(serving.drain);
    const store = storeOf(options.runsDir);
    terminal.note(`serving ${roles.join(', ')} for ${storeName(options.runsDir)} (store ${store}); Ctrl-C drains`);
    terminal.note(`build ${buildId()}; queues: ${serving.queues.join(', ')}`);
    const looking = new AbortController();
    const looked = sayUse(temporal.settings, {
      runsDir: options.runsDir,
      store,
      build: buildId(),
      onLine: terminal.note,
      signal: looking.signal,
    });
    await Promise.race([serving.done, failed.promise]).finally(() => looking.abort());
    await looked;
  } finally {
    await temporal.close();
  }
  return exitStatus.done;
}

/** Warns about an unused store. Does nothing if the server cannot be reached: the worker itself reports that. */
async function sayUse(settings: TemporalSettings, served: ServedStore): Promise<void> {
  const client = await connectClient(settings).catch(() => null);
  if (client === null) return;
  try {
    await reportWhileUnused(client, served);
  } finally {
    await client.connection.close();
  }
}
