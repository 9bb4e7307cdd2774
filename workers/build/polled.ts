/** Whether workers of a build wait at a task queue at this moment. */
import type { Client } from '@temporalio/client';
import type { Pinning } from './pinning.ts';

/** Of Temporal's kinds of task queues. */
const kinds = { workflow: 1, activity: 2 } as const;

/** @param queue of workflows if its name ends so, else of activities */
export async function isPolled(client: Client, queue: string, { build, isVersioned }: Pinning): Promise<boolean> {
  const { pollers } = await client.connection.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: queue },
    taskQueueType: queue.endsWith('workflow') ? kinds.workflow : kinds.activity,
  });
  // The name of a queue holds the build where the server has no Worker Versioning.
  return pollers.some(({ deploymentOptions }) => !isVersioned || deploymentOptions?.buildId === build);
}
