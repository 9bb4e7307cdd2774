/** The pages of one model in a run, several in flight, so that one slow page does not leave the model idle. */
import { executeChild, workflowInfo } from '@temporalio/workflow';
import type { LaneInput, PageReport, PageRef } from '../schemas/steps.ts';
import { inOrder } from './in-order.ts';
import { pageOutcome } from './page-outcome.ts';

export const pagesInFlight = 4;

export async function lane({ run, pages, inFlight = pagesInFlight }: LaneInput): Promise<PageReport[]> {
  return inOrder(inFlight, pages, async ({ page, kind }) => {
    const ref: PageRef = { run, page };
    return pageOutcome(ref, () =>
      executeChild(kind, {
        workflowId: `${workflowInfo().workflowId}/${page}`,
        args: [ref],
        memo: { ...workflowInfo().memo },
      }),
    );
  });
}
