/** Steps for the whole run: what is left to do at its start, and the tables of all pages at its end. */
import { counted } from '../domain/counted.ts';
import type { Page } from '../schemas/plan.ts';
import type { SpecStudy } from '../schemas/spec.ts';
import { tables } from '../schemas/tables.ts';
import type { RunRef, SweepPlan, SweepReport } from '../schemas/steps.ts';
import { slug } from '../domain/ids.ts';
import { studyOf } from '../studies/index.ts';
import { pagesOf } from '../studies/plan.ts';
import { mergePages } from './compact/merge-pages.ts';
import { takeOpenPagesApart } from './compact/open-pages.ts';
import type { Heartbeat } from './heartbeat.ts';
import { repairOrRefuse } from './runs/repair-parts.ts';
import { writeTablesOfRun } from './rows/run-tables.ts';
import type { Run, Runs } from './runs/runs.ts';
import { finishRun } from './storage/manifest.ts';
import { removeOrphans, settleParts } from './storage/parts/settle-parts.ts';
import { writeViews } from './rows/views-file.ts';

/** Tasks whose references are run in one step. */
const preparationTasks = 32;

export interface SweepDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
}

export function createSweep({ runs, heartbeat }: SweepDependencies) {
  return {
    openSweep: (ref: RunRef): Promise<SweepPlan> =>
      heartbeat(async () => {
        const run = await runs.open(ref);
        run.ledger.openUnit('run/open', ref.epoch);
        run.ledger.reopenFailedPages();
        await takeOpenPagesApart(run, ref.epoch);
        const [posets, variants] = variantPages(run);
        const batched = run.batches ? withBatches(run, lanes(run)) : { lanes: lanes(run) };
        return { ...batched, variants, posets, preparations: preparations(run) };
      }),
    finishSweep: ({ run: ref, report }: { run: RunRef; report: SweepReport }): Promise<void> =>
      heartbeat(async () => finish(await runs.open(ref), ref.epoch, report)),
  };
}

/** Pages that are not sealed yet, by model. */
function lanes(run: Run): SweepPlan['lanes'] {
  const asked = openPages(run).filter(({ phase }) => phase === undefined);
  const byModel = Map.groupBy(asked, ({ model }) => model);
  return [...byModel].map(([model, pages]) => ({
    model: slug(model),
    pages: pages.map(({ page, study }) => ({ page, kind: workflowOf(run.study(study)) })),
  }));
}

/**
 * Pages in flight of all lanes that wait for batches. Their questions share a batch, so more pages make larger and
 * fewer batches; each is a workflow that the server and a worker keep.
 */
const batchedPagesInFlight = 128;
const fewestInFlight = 4;

/** A lane waits for batches if its model, or a judge of its studies, is asked in them. */
function withBatches(run: Run, planned: SweepPlan['lanes']): Pick<SweepPlan, 'lanes' | 'batches'> {
  const inBatches = new Set(run.spec.models.flatMap(({ id, mode }) => (mode === 'batch' ? [id] : [])));
  const waits = new Set(
    openPages(run).flatMap(({ model, study: name }) => {
      const study = run.study(name);
      const asked = [
        model,
        ...studyOf(study)
          .roles(study)
          .map((role) => role.model),
      ];
      return asked.some((id) => inBatches.has(id)) ? [slug(model)] : [];
    }),
  );
  const inFlight = Math.max(fewestInFlight, Math.floor(batchedPagesInFlight / Math.max(1, waits.size)));
  return { lanes: planned.map((lane) => (waits.has(lane.model) ? { ...lane, inFlight } : lane)), batches: true };
}

const workflowOf = (study: SpecStudy): string => studyOf(study).workflow ?? study.kind;

const openPages = (run: Run): Page[] =>
  pagesOf(run.revisions).flatMap(({ page }) => (run.ledger.pageState(page.page) === 'sealed' ? [] : [page]));

/** Open pages that make posets, and those that write variants draw by draw. */
const variantPages = (run: Run): [posets: string[], variants: string[]] => {
  const pages = openPages(run).filter(({ phase }) => phase === 'variants');
  const [posets, others] = [true, false].map((wanted) =>
    pages.filter(({ study }) => (studyOf(run.study(study)).variants?.making === 'poset') === wanted),
  );
  return [(posets ?? []).map(({ page }) => page), (others ?? []).map(({ page }) => page)];
};

function preparations(run: Run): SweepPlan['preparations'] {
  return Object.keys(run.spec.benchmarks).flatMap((benchmark) => {
    const count = run.tasks(benchmark).size;
    const batches = Math.ceil(count / preparationTasks);
    return Array.from({ length: batches }, (_, batch) => {
      const start = batch * preparationTasks;
      return { benchmark, start, end: Math.min(count, start + preparationTasks) };
    });
  });
}

async function finish(run: Run, epoch: number, report: SweepReport): Promise<void> {
  // A process may be killed after it sealed a page and before it moved the page's parts.
  const missing = settleParts(run.folder, run.ledger);
  if (missing.length > 0) await repairOrRefuse(run, missing);
  removeOrphans(run.folder, run.ledger, Object.keys(tables));
  await mergePages(run, epoch);
  await writeTablesOfRun(run, epoch);
  await writeViews(run.folder);
  const complete = report.stopped.length === 0 && report.failed.length === 0;
  finishRun(run.folder, run.ledger, epoch, {
    planRevisions: run.revisions.length,
    reason: complete ? null : incompleteBecause(run, report),
  });
}

/** The reasons with their counts, then a line for each stopped model and each distinct reason why pages failed. */
function incompleteBecause(run: Run, { stopped, failed }: SweepReport): string {
  const reasons = [
    ...new Set([...stopped.map(({ reason }) => reason), ...(failed.length > 0 ? ['failed pages'] : [])]),
  ];
  const closed = run.ledger.progress().stopped.filter(({ reason }) => reason === 'model_stopped');
  return [
    `${reasons.join(', ')}: ${counted(stopped.length, 'page')} stopped, ${failed.length} failed`,
    ...closed.map(({ detail }) => detail),
    ...new Set(failed.map(({ reason }) => `failed: ${reason}`)),
  ].join('\n  ');
}
