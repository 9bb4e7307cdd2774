/** A whole run: references first, then the variants, then one lane per model, then the tables of the whole run. */
import { executeChild, patched, workflowInfo } from '@temporalio/workflow';
import { besideBatches } from './batches.ts';
import type { PageRef, PageReport, RunRef, SweepPlan, SweepReport } from '../schemas/steps.ts';
import { io, sandbox } from './activities.ts';
import { inOrder } from './in-order.ts';
import { lane, pagesInFlight } from './lane.ts';
import { pageOutcome } from './page-outcome.ts';
import { posets } from './posets.ts';
import { variants } from './variants.ts';

/** The development server can handle a few hundred open workflows. */
const lanesInFlight = 24;
const preparationsInFlight = 4;
const variantPagesInFlight = 4;

type Lane = SweepPlan['lanes'][number];

export async function sweep(run: RunRef): Promise<SweepReport> {
  const plan = await io().openSweep(run);
  const { lanes, variants: variantPages = [], posets: posetPages = [], preparations } = plan;
  await inOrder(preparationsInFlight, preparations, (batch) => sandbox().prepare({ run, ...batch }));
  const variantWork = [
    ...variantPages.map((page) => ({ page, workflow: variants })),
    ...posetPages.map((page) => ({ page, workflow: posets })),
  ];
  const variantReports = await inOrder(variantPagesInFlight, variantWork, ({ page, workflow }) =>
    makeVariants(workflow, { run, page }),
  );
  const incomplete = variantReports.filter(({ state }) => state !== 'sealed');
  // Sweeps started before short lanes existed continue with one workflow per lane.
  const isShort = patched('short lanes') ? ({ pages }: Lane) => pages.length <= pagesInFlight : () => false;
  const runLanes = () =>
    inOrder(lanesInFlight, withoutStudiesOf(incomplete, lanes), (one) =>
      isShort(one) ? lane({ run, ...one }) : ownWorkflow(run, one),
    );
  const reports = await (plan.batches ? besideBatches(run, runLanes) : runLanes());
  const report = summary([...variantReports, ...reports.flat()]);
  await io().finishSweep({ run, report });
  return report;
}

/**
 * For a lane with more pages than can be in flight: its history is kept in a separate workflow. The sweep starts the
 * pages of a short lane itself.
 */
const ownWorkflow = (run: RunRef, { model, ...rest }: Lane): Promise<PageReport[]> =>
  executeChild(lane, {
    workflowId: `${workflowInfo().workflowId}/${model}`,
    args: [{ run, model, ...rest }],
    memo: { ...workflowInfo().memo },
  });

const makeVariants = (workflow: (ref: PageRef) => Promise<void>, ref: PageRef): Promise<PageReport> =>
  pageOutcome(ref, () =>
    executeChild(workflow, {
      workflowId: `${workflowInfo().workflowId}/${ref.page}`,
      args: [ref],
      memo: { ...workflowInfo().memo },
    }),
  );

/** A study runs only with all of its variants. The first part of a page's name is its study. */
function withoutStudiesOf(incomplete: readonly PageReport[], lanes: readonly Lane[]): Lane[] {
  const studies = new Set(incomplete.map(({ page }) => page.split('/')[0]));
  return lanes.map(({ pages, ...rest }) => ({
    ...rest,
    pages: pages.filter(({ page }) => !studies.has(page.split('/')[0])),
  }));
}

function summary(pages: readonly PageReport[]): SweepReport {
  return {
    sealed: pages.filter(({ state }) => state === 'sealed').length,
    stopped: pages.flatMap((page) => (page.state === 'stopped' ? [{ page: page.page, reason: page.reason }] : [])),
    failed: pages.flatMap((page) => (page.state === 'failed' ? [{ page: page.page, reason: page.reason }] : [])),
  };
}
