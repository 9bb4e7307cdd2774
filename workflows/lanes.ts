/** The lanes of a run's models, many in flight. Lanes beyond a history's share are a workflow of their own. */
import type { Lane, LanesInput, PagesReport, RunRef } from '../schemas/steps.ts';
import { io } from './activities.ts';
import { below } from './below-sweep.ts';
import { inOrder } from './in-order.ts';
import { runPages } from './lane.ts';
import { sumOf } from './pages-report.ts';

/** The development server can handle a few hundred open workflows. */
const lanesInFlight = 24;
/** A lane takes at most nine events; those that have few pages take up to fifteen a page, and are few themselves. */
const lanesPerTurn = 64;

export async function lanes({ run, after: last }: LanesInput): Promise<PagesReport> {
  const next = await io().nextLanes({ run, after: last, limit: lanesPerTurn });
  const work = next.lanes.map((one) => () => runLane(run, one));
  const { after } = next;
  if (after !== null) work.push(() => below('lanes', `lanes after ${after}`, { run, after }, null));
  return sumOf(await inOrder(lanesInFlight, work, (start) => start()));
}

/** A lane of few pages needs no history of its own. */
export const runLane = (run: RunRef, { few, ...one }: Lane): Promise<PagesReport> =>
  few === undefined ? below('lane', one.model ?? 'variants', { run, ...one }, one.model) : runPages(run, one, few);
