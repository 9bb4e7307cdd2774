/** The page steps that studies define, as activities by name. */
import type { PageRef } from '../schemas/steps.ts';
import { pageStepNames } from '../studies/index.ts';
import type { OpenPage } from '../studies/page-steps.ts';
import { openCell } from './pages/cell-states.ts';
import { referenceKey } from './judging/execution-key.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunPage, Runs } from './runs/runs.ts';
import { promptedCells, type VariantCache, variantsOf } from './pages/variant-sets.ts';

export interface StudyPagesDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly cache: VariantCache;
}

type PageActivity = (ref: PageRef) => Promise<unknown>;

export function createStudyPages({
  runs,
  heartbeat,
  cache,
}: StudyPagesDependencies): Readonly<Record<string, PageActivity>> {
  const activityOf =
    (name: string): PageActivity =>
    (ref) =>
      heartbeat(async () => stepOf(await runs.page(ref), name, cache));
  return Object.fromEntries(pageStepNames.map((name) => [name, activityOf(name)]));
}

function stepOf(page: RunPage, name: string, cache: VariantCache): Promise<unknown> {
  const step = page.kind.pageSteps[name];
  if (step === undefined)
    throw new Error(
      `page ${page.page} belongs to a ${page.study.kind} study, which has no step ${name}; it has ` +
        `${Object.keys(page.kind.pageSteps).join(', ')}`,
    );
  return step(page.study, openPage(page, cache));
}

const openPage = (page: RunPage, cache: VariantCache): OpenPage => ({
  sealed: page.run.ledger.pageState(page.page) === 'sealed',
  cells: page.cells,
  task: (taskId) => page.task(taskId),
  state: (index) => openCell(page, index),
  referencePasses: (task) =>
    task.suites.every(
      (suite) => page.run.ledger.reference(referenceKey(page.run.sandbox, task, suite))?.outcome === 'pass',
    ),
  promptedCells: () => promptedCells(page, cache),
  hasVariants: (task) => page.run.variants.ofTask(page.study, task) !== undefined,
  variantsOf: (task, make) => variantsOf(page, task, cache, make),
});
