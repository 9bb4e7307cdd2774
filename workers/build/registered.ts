/**
 * Waits until the server knows the workers of a build. A step of a queue that is not known to belong to the build would
 * go to workers without a version, and no worker would take it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { MissingPartError } from '../../domain/errors.ts';
import { type Pinning, versionOf } from './pinning.ts';

const pollMs = 50;
const usualLimitMs = 60_000;
const notFound = 5;

export interface Registration {
  readonly store: string;
  readonly pinning: Pinning;
  /** Names of all task queues of the sweep. */
  readonly queues: readonly string[];
  readonly signal: AbortSignal;
  /** Default: a minute, which workers that were just started may need. */
  readonly limitMs?: number;
  /** What is said of queues that are not known in time. */
  readonly notKnown?: (store: string, missing: readonly string[]) => string;
}

/** Throws the signal's reason when it is aborted, `MissingPartError` if a queue is not known in time. */
export async function untilRegistered(client: Client, registration: Registration): Promise<void> {
  const { store, pinning, queues, signal, limitMs = usualLimitMs, notKnown = notRegistered } = registration;
  if (!pinning.isVersioned) return;
  for (const deadlineMs = performance.now() + limitMs; ; await sleep(pollMs)) {
    signal.throwIfAborted();
    const known = await queuesOf(client, store, pinning);
    const missing = queues.filter((queue) => !known.has(queue));
    if (missing.length === 0) return;
    if (performance.now() > deadlineMs) throw new MissingPartError(notKnown(store, missing));
  }
}

async function queuesOf(client: Client, store: string, pinning: Pinning): Promise<Set<string>> {
  const { namespace } = client.options;
  try {
    const { versionTaskQueues } = await client.connection.workflowService.describeWorkerDeploymentVersion({
      namespace,
      deploymentVersion: versionOf(store, pinning),
    });
    return new Set(versionTaskQueues.flatMap(({ name }) => name ?? []));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === notFound) return new Set();
    throw error;
  }
}

const notRegistered = (store: string, missing: readonly string[]): string =>
  `the Temporal server does not list ${missing.join(', ')} in deployment evenkeel-${store} after ` +
  `${usualLimitMs / 1_000} s, so its steps would wait for ever. Is the limit of deployments in the namespace reached ` +
  '(matching.maxDeployments)? ' +
  'Delete unused ones (temporal worker deployment list, delete), and resume the run';
