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

/** How far above an epoch its server is asked for sweeps of the run: a command may end before it has started one. */
const epochsAhead = 3;

/**
 * Whether the server knows a sweep of the run at this epoch or shortly above. It is not this command's, which has not
 * started one yet: a command on a copy of the run's folder started it, or the folder was put back to an earlier state.
 * A start under its name would join it, though its steps are not known here.
 */
export async function isEpochUsed(client: Client, run: RunRef): Promise<boolean> {
  const epochs = Array.from({ length: epochsAhead + 1 }, (_, ahead) => run.epoch + ahead);
  const found = await Promise.all(
    epochs.map((epoch) =>
      client.workflow
        .getHandle(sweepId({ ...run, epoch }))
        .describe()
        .catch(nullIfNotFound),
    ),
  );
  return found.some((known) => known !== null);
}

/** Why `terminateOlder` ended a sweep. */
const takenOverBy = (epoch: number): string => `taken over by epoch ${epoch}`;
export const takenOver = /^taken over by epoch \d+$/;

/**
 * The run folder is the truth, so a takeover always starts a new sweep; crashes, lost databases and new versions are
 * all handled this way. A sweep starts only after all earlier ones have ended, so only the newest one that the server
 * knows can still be running.
 */
export async function terminateOlder(client: Client, run: RunRef): Promise<void> {
  for (let epoch = run.epoch - 1; epoch > 0; epoch -= 1) {
    const handle = client.workflow.getHandle(sweepId({ ...run, epoch }));
    const known = await handle.describe().catch(nullIfNotFound);
    if (known === null) continue;
    if (known.status.name === 'RUNNING') await handle.terminate(takenOverBy(run.epoch)).catch(nullIfNotFound);
    return;
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof Error && error.name === 'WorkflowNotFoundError') return null;
  throw error;
}
