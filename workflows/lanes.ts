/** The lanes of a run's models, many in flight. Lanes beyond a history's share are a workflow of their own. */
import { executeChild, workflowInfo } from '@temporalio/workflow';
import type { Lane, LanesInput, PagesReport, RunRef } from '../schemas/steps.ts';
import { io } from './activities.ts';
import { inOrder } from './in-order.ts';
import { lane, runPages } from './lane.ts';
import { sumOf } from './pages-report.ts';

/** The development server can handle a few hundred open workflows. */
const lanesInFlight = 24;
/** A lane takes at most nine events; those that have few pages take up to fifteen a page, and are few themselves. */
const lanesPerTurn = 64;

export async function lanes({ run, after: last }: LanesInput): Promise<PagesReport> {
  const next = await io().nextLanes({ run, after: last, limit: lanesPerTurn });
  const work = next.lanes.map((one) => () => runLane(run, one));
  const { after } = next;
  if (after !== null) work.push(() => ofRun(lanes, `lanes after ${after}`, { run, after }));
  return sumOf(await inOrder(lanesInFlight, work, (start) => start()));
}

/** A lane of few pages needs no history of its own. */
export const runLane = (run: RunRef, { few, ...one }: Lane): Promise<PagesReport> =>
  few === undefined ? ofRun(lane, one.model ?? 'variants', { run, ...one }) : runPages(run, one, few);

/** @param name its place in the run: the workflow's id ends with it */
const ofRun = <Input>(
  workflow: (input: Input) => Promise<PagesReport>,
  name: string,
  input: Input,
): Promise<PagesReport> =>
  executeChild(workflow, {
    workflowId: `${workflowInfo().workflowId}/${name}`,
    args: [input] as never,
    memo: { ...workflowInfo().memo },
  });
