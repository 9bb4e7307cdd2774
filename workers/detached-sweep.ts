/** Starts a run's sweep and leaves it to the workers of the store: no process owns the run from then on. */
import type { Client } from '@temporalio/client';
import { hasKeys } from '../activities/calls/run-keys.ts';
import { runCatalog } from '../activities/storage/catalog/open-catalog.ts';
import { refuseElsewhere } from '../activities/storage/catalog/run-catalog.ts';
import type { RunRef } from '../schemas/steps.ts';
import { beginSweep, type BegunSweep, nextEpoch } from './begin-sweep.ts';
import { buildId } from './build/build-id.ts';
import { pinningOn } from './build/pinning.ts';
import { isPolled } from './build/polled.ts';
import { untilRegistered } from './build/registered.ts';
import { heartbeatTimeoutMs } from './config.ts';
import { openTemporal } from './open-temporal.ts';
import { isEpochUsed, queuesOf, startSweep, type SweepDeployment, terminateOlder } from './start-sweep.ts';
import { storeOf } from './store.ts';
import { connectClient } from './temporal/connection.ts';
import { hasSearchAttributes } from './temporal/search-attributes.ts';

export type DetachedEnd =
  | {
      readonly kind: 'detached';
      readonly build: string;
      /** Task queues of the sweep at which no worker of its build waits. */
      readonly unserved: readonly string[];
    }
  /** Another living process owns the run. */
  | { readonly kind: 'owned_elsewhere' };

/** Workers that are to carry the run out were started before. */
const registeredWithinMs = 10_000;

/**
 * Takes the run, also from an earlier detached sweep, which then ends.
 * @throws `MissingPartError` if no worker of this build has ever served the store, or the server does not answer
 */
export async function startDetached(options: BegunSweep): Promise<DetachedEnd> {
  const catalog = runCatalog(options.runsDir);
  const owned = await catalog.ownership(options.runId).take({ fromDetached: true });
  if (owned === null) return { kind: 'owned_elsewhere' };
  try {
    refuseElsewhere(options.runId, await catalog.home(options.runId).manifest());
    const temporal = await openTemporal({ ...options, onGiveUp: () => {} });
    const client = await connectClient(temporal.settings, { onWaiting: options.onLine });
    try {
      const deployment = await deploymentOf(client, options);
      const run = await started(client, deployment, options);
      await owned.detach(run.epoch);
      return { kind: 'detached', build: buildId(), unserved: await unserved(client, deployment) };
    } finally {
      await client.connection.close();
      await temporal.close();
    }
  } finally {
    await owned.release();
  }
}

/** Before the run is changed: of a build that no worker has, a sweep would wait for ever. */
async function deploymentOf(client: Client, { runsDir, sandbox, env }: BegunSweep): Promise<SweepDeployment> {
  const build = buildId();
  const pinning = await pinningOn(client.connection, client.options.namespace, build);
  const deployment = { store: storeOf(runsDir), pinning, sandbox, heartbeatTimeoutMs: heartbeatTimeoutMs(env) };
  await untilRegistered(client, {
    ...deployment,
    queues: queuesOf(deployment),
    signal: new AbortController().signal,
    limitMs: registeredWithinMs,
    notKnown: (store, missing) =>
      `no worker of this build of the program (${build}) has served ${missing.join(', ')}, so nobody would carry the ` +
      `run out: start \`evenkeel worker\` with the same program on some host first. The server lists the builds of ` +
      `deployment evenkeel-${store}; a queue of programs is named for their sandbox`,
  });
  return deployment;
}

async function started(client: Client, deployment: SweepDeployment, options: BegunSweep): Promise<RunRef> {
  await beginSweep(options);
  let begun = await nextEpoch(options);
  while (await isEpochUsed(client, begun)) begun = await nextEpoch(options);
  const { keys, ...ref } = begun;
  // Without keys here, the workers' own are used.
  const run: RunRef = {
    ...ref,
    ...(keys !== undefined && hasKeys(options.spec, options.env) && { keys }),
    isDetached: true,
  };
  await terminateOlder(client, run);
  await startSweep(client, run, { ...deployment, isSearchable: await hasSearchAttributes(client, options.onLine) });
  return run;
}

async function unserved(client: Client, deployment: SweepDeployment): Promise<string[]> {
  const queues = queuesOf(deployment);
  const polled = await Promise.all(queues.map((queue) => isPolled(client, queue, deployment.pinning)));
  return queues.filter((_, index) => polled[index] === false);
}
