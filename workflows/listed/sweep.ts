/**
 * Sweeps as version 0.1 started them: the plan lists every open page. Those in flight, and stored histories, go on so.
 */
import { executeChild, patched, workflowInfo } from '@temporalio/workflow';
import type { PageEnd, PagesReport, RunRef, SweepReport } from '../../schemas/steps.ts';
import { io, sandbox } from '../activities.ts';
import { besideBatches } from '../batches.ts';
import { inOrder } from '../in-order.ts';
import { lane, pagesInFlight, runListedLane } from '../lane.ts';
import { endOfPage } from '../page-end.ts';
import { reportOf, sumOf } from '../pages-report.ts';
import type { ListedLane, ListedPlan } from './plan.ts';

const lanesInFlight = 24;
const preparationsInFlight = 4;
const variantPagesInFlight = 4;

export async function listedSweep(run: RunRef, plan: ListedPlan): Promise<SweepReport> {
  await inOrder(preparationsInFlight, plan.preparations, (batch) => sandbox().prepare({ run, ...batch }));
  const variantPages = [
    ...(plan.variants ?? []).map((page) => ({ page, kind: 'variants' })),
    ...(plan.posets ?? []).map((page) => ({ page, kind: 'posets' })),
  ];
  const ends = await inOrder(variantPagesInFlight, variantPages, ({ page, kind }) =>
    endOfPage({ run, page }, kind, null),
  );
  const incomplete = variantPages.filter((_, index) => ends[index]?.state !== 'sealed');
  // Sweeps started before short lanes existed continue with one workflow per lane.
  const isShort = patched('short lanes') ? ({ pages }: ListedLane) => pages.length <= pagesInFlight : () => false;
  const runLanes = () =>
    inOrder(lanesInFlight, withoutStudiesOf(incomplete, { run, plan }), async (one) =>
      isShort(one) ? reportOf(await runListedLane(one)) : ownWorkflow(one),
    );
  const reports = await (plan.batches ? besideBatches(run, runLanes) : runLanes());
  const report = sumOf([reportOf(ends), ...reports]);
  await io().finishSweep({ run, report });
  return report;
}

/** A lane that an older worker carried out returns the end of every page. */
async function ownWorkflow(one: ListedLane): Promise<PagesReport> {
  const report: PagesReport | readonly PageEnd[] = await executeChild(lane, {
    workflowId: `${workflowInfo().workflowId}/${one.model}`,
    args: [one],
    memo: { ...workflowInfo().memo },
  });
  return Array.isArray(report) ? reportOf(report) : report;
}

/** A study runs only with all of its variants. The first part of a page's name is its study. */
function withoutStudiesOf(
  incomplete: readonly { readonly page: string }[],
  { run, plan }: { readonly run: RunRef; readonly plan: ListedPlan },
): ListedLane[] {
  const studies = new Set(incomplete.map(({ page }) => page.split('/')[0]));
  return plan.lanes.map(({ pages, ...rest }) => ({
    run,
    ...rest,
    pages: pages.filter(({ page }) => !studies.has(page.split('/')[0])),
  }));
}
