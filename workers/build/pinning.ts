/**
 * How a sweep keeps to the workers of one build, so that none of its steps is done by another version of the program:
 * by Temporal's Worker Versioning, or by names of task queues that hold the build.
 */
import type { Connection } from '@temporalio/client';
import type { VersioningOverride, WorkerDeploymentVersion } from '@temporalio/common';
import type { NativeConnection, WorkerDeploymentOptions } from '@temporalio/worker';

export interface Pinning {
  readonly build: string;
  /** Whether by Worker Versioning. */
  readonly isVersioned: boolean;
}

/** Time limit for the server's answer. */
const limitMs = 10_000;
/**
 * What servers answer that do not have Worker Versioning or do not allow it. gRPC's codes: permission denied, failed
 * precondition, unimplemented.
 */
const unsupported = new Set<unknown>([7, 9, 12]);

/**
 * The pinning of a build on a server. Every process asks the server itself, so that all of them agree.
 * @param onUnsupported told why the server has no Worker Versioning
 */
export async function pinningOn(
  connection: Pick<Connection | NativeConnection, 'withDeadline' | 'workflowService'>,
  namespace: string,
  build: string,
  onUnsupported: (reason: string) => void = () => {},
): Promise<Pinning> {
  try {
    const request = { namespace, pageSize: 1 };
    await connection.withDeadline(Date.now() + limitMs, () =>
      connection.workflowService.listWorkerDeployments(request),
    );
    return { build, isVersioned: true };
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    onUnsupported(error.message);
    return { build, isVersioned: false };
  }
}

const isUnsupported = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && unsupported.has(error.code);

/** A deployment for each store, since workers of different stores are replaced on their own. */
export const versionOf = (store: string, { build }: Pinning): WorkerDeploymentVersion => ({
  deploymentName: `evenkeel-${store}`,
  buildId: build,
});

/** For a worker of a store. */
export const deploymentOptions = (
  store: string,
  pinning: Pinning,
): { readonly workerDeploymentOptions?: WorkerDeploymentOptions } =>
  pinning.isVersioned
    ? {
        workerDeploymentOptions: {
          version: versionOf(store, pinning),
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'PINNED',
        },
      }
    : {};

/** For the start of a sweep. Everything below it inherits the pin. */
export const pinTo = (store: string, pinning: Pinning): { readonly versioningOverride?: VersioningOverride } =>
  pinning.isVersioned ? { versioningOverride: { pinnedTo: versionOf(store, pinning) } } : {};
