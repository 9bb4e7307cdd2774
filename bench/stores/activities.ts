import { Client, Connection } from '@temporalio/client';

/** The activities that workflows of the run completed, those that ended as new ones too, by their histories. */
export async function completedActivities(address: string, run: string): Promise<number> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection });
    let completed = 0;
    for await (const { workflowId, runId } of client.workflow.list({ query: `EvenkeelRun = "${run}"` })) {
      const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
      completed += events?.filter((event) => event.activityTaskCompletedEventAttributes).length ?? 0;
    }
    return completed;
  } finally {
    await connection.close();
  }
}
