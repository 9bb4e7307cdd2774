/**
 * Monitoring: a run named after its start time, then the gate. A Temporal Schedule starts it. A failed gate fails the
 * workflow, so that alarms on failed workflows notice it.
 */
import { ApplicationFailure, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { WatchOrder, WatchStep, WatchVerdict } from '../schemas/watch.ts';

export interface WatchActivities {
  /** Starts the run, or resumes it if it was interrupted. */
  carryOutRun(step: WatchStep): Promise<void>;
  judgeRun(step: WatchStep): Promise<WatchVerdict>;
}

export async function watch(order: WatchOrder): Promise<WatchVerdict> {
  const { carryOutRun, judgeRun } = proxyActivities<WatchActivities>({
    startToCloseTimeout: '7 days',
    heartbeatTimeout: '1 minute',
    retry: { initialInterval: '30 seconds', maximumInterval: '30 minutes', maximumAttempts: 20 },
  });
  // 2026-11-22T03:17:00.000Z becomes nightly-2026-11-22-0317.
  const step = {
    ...order,
    run: `${order.name}-${workflowInfo().startTime.toISOString().slice(0, 16).replace('T', '-').replace(':', '')}`,
  };
  await carryOutRun(step);
  const verdict = await judgeRun(step);
  if (verdict.outcome === 'failed')
    throw ApplicationFailure.nonRetryable(`run ${verdict.run} failed the gate`, 'GateFailed', verdict);
  return verdict;
}
