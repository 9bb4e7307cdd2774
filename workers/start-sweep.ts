/** The workflow that carries a run out: its start on the queues of its store and build, and the end of earlier ones. */
import type { Client, WorkflowHandle } from '@temporalio/client';
import type { SandboxIdentity } from '../activities/judging/execution-key.ts';
import type { RunRef } from '../schemas/steps.ts';
import type { sweep } from '../workflows/index.ts';
import { type Pinning, pinTo } from './build/pinning.ts';
import { sandboxMark, sandboxQueue, taskQueue } from './roles.ts';
import { runKey } from './temporal/search-attributes.ts';

export interface SweepDeployment {
  readonly store: string;
  readonly pinning: Pinning;
  readonly sandbox: Pick<SandboxIdentity, 'imageDigest'>;
  readonly heartbeatTimeoutMs: number;
  /** Whether the server has the names of search attributes; default: no. */
  readonly isSearchable?: boolean;
}

/** All task queues of a sweep. */
export const queuesOf = ({ store, pinning, sandbox }: SweepDeployment): string[] => [
  ...(['workflow', 'llm', 'io', 'seal'] as const).map((role) => taskQueue(store, pinning, role)),
  sandboxQueue(store, pinning, sandbox.imageDigest),
];

/** A number for each takeover of the run. */
export const sweepId = (run: RunRef): string => `${run.uuid}/e${run.epoch}`;

export async function startSweep(
  client: Client,
  run: RunRef,
  { store, pinning, sandbox, isSearchable = false, heartbeatTimeoutMs: timeoutMs }: SweepDeployment,
): Promise<WorkflowHandle<typeof sweep>> {
  return client.workflow.start<typeof sweep>('sweep', {
    workflowId: sweepId(run),
    taskQueue: taskQueue(store, pinning, 'workflow'),
    ...pinTo(store, pinning),
    args: [run],
    memo: { heartbeatTimeoutMs: timeoutMs, sandbox: sandboxMark(sandbox.imageDigest), build: pinning.build },
    ...(isSearchable && { typedSearchAttributes: [{ key: runKey, value: run.runId }] }),
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  });
}

/**
 * The run folder is the truth, so a takeover always starts a new sweep; crashes, lost databases and new versions are
 * all handled this way. A sweep starts only after all earlier ones have ended, so only the newest one that the server
 * knows can still be running.
 */
export async function terminateOlder(client: Client, run: RunRef): Promise<void> {
  for (let epoch = run.epoch - 1; epoch > 0; epoch -= 1) {
    const handle = client.workflow.getHandle(`${run.uuid}/e${epoch}`);
    const known = await handle.describe().catch(nullIfNotFound);
    if (known === null) continue;
    if (known.status.name === 'RUNNING')
      await handle.terminate(`taken over by epoch ${run.epoch}`).catch(nullIfNotFound);
    return;
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null;
  throw error;
}
