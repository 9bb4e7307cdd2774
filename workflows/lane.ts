/**
 * The pages of one model in a run, several in flight, so that one slow page does not leave the model idle. After some
 * pages it continues with a new history, from the last page that it ran.
 */
import { continueAsNew } from '@temporalio/workflow';
import type { Lane, LaneInput, LanePage, PageEnd, PagesReport, RunRef } from '../schemas/steps.ts';
import { io } from './activities.ts';
import { inOrder } from './in-order.ts';
import type { ListedLane } from './listed/plan.ts';
import { endOfPage } from './page-end.ts';
import { reportOf, sumOf } from './pages-report.ts';

export const pagesInFlight = 4;
/** A page that fails takes fifteen events, one that is sealed seven to nine; a history stays under 2,000. */
const defaultPagesPerTurn = 128;

export async function lane(input: LaneInput | ListedLane): Promise<PagesReport> {
  if ('pages' in input) return reportOf(await runListedLane(input));
  const { run, model, after: last, soFar, pagesPerTurn: limit = defaultPagesPerTurn } = input;
  const { pages, after, stopped = {} } = await io().nextPages({ run, model, after: last, limit });
  const ends = await runPages(run, input, pages);
  const report = sumOf([...(soFar ? [soFar] : []), ends, { sealed: 0, stopped, failed: 0 }]);
  return after === null ? report : continueAsNew<typeof lane>({ ...input, after, soFar: report });
}

/** Starts no further page once one of them finds that the whole run is stopped. */
export async function runPages(
  run: RunRef,
  { model, inFlight = pagesInFlight }: Omit<Lane, 'few'>,
  pages: readonly LanePage[],
): Promise<PagesReport> {
  let halted: PageEnd | null = null;
  const ends = await inOrder(inFlight, pages, async ({ page, kind }) => {
    const end = halted ?? (await endOfPage({ run, page }, kind, model));
    if (isOfRun(end)) halted = end;
    return end;
  });
  return reportOf(ends);
}

/** As sweeps of version 0.1 started them. */
export const runListedLane = ({ run, pages, inFlight = pagesInFlight }: ListedLane): Promise<PageEnd[]> =>
  inOrder(inFlight, pages, ({ page, kind }) => endOfPage({ run, page }, kind, null));

/** Another page may still fit into the budget, or have all its answers though its model is stopped. */
const isOfRun = (end: PageEnd): boolean =>
  end.state === 'stopped' && end.reason !== 'budget' && end.reason !== 'model_stopped';
