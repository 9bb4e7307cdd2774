/** The page steps that studies define, as activities by name. */
import type { PageRef } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import { pageStepNames } from '../studies/index.ts';
import type { OpenPage } from '../studies/page-steps.ts';
import { judgedCells } from './pages/page-cells.ts';
import { referenceKey } from './judging/execution-key.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import type { PageState } from './storage/ledger/plan.ts';
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

async function stepOf(page: RunPage, name: string, cache: VariantCache): Promise<unknown> {
  const step = page.kind.pageSteps[name];
  if (step === undefined)
    throw new Error(
      `page ${page.page} belongs to a ${page.study.kind} study, which has no step ${name}; it has ` +
        `${Object.keys(page.kind.pageSteps).join(', ')}`,
    );
  return step(page.study, openPage(page, await page.run.ledger.pageState(page.page), cache));
}

const openPage = (page: RunPage, state: PageState, cache: VariantCache): OpenPage => ({
  sealed: state === 'sealed',
  cells: page.cells,
  task: (taskId) => page.task(taskId),
  states: async () => judgedCells(page, await page.run.ledger.samples(page.page)),
  passingTasks: () => passingTasks(page),
  promptedCells: () => promptedCells(page, cache),
  hasVariants: async (task) => (await page.run.variants.ofTask(page.study, task)) !== undefined,
  variantsOf: (task, make) => variantsOf(page, task, cache, make),
});

async function passingTasks({ run, cells, task }: RunPage): Promise<ReadonlySet<string>> {
  const tasks = [...new Set(cells.map(({ taskId }) => taskId))].map(task);
  const keysOf = (one: Task): string[] => one.suites.map((suite) => referenceKey(run.sandbox, one, suite));
  const references = await run.ledger.references(tasks.flatMap(keysOf));
  const passes = (one: Task): boolean => keysOf(one).every((key) => references.get(key)?.outcome === 'pass');
  return new Set(tasks.filter(passes).map(({ taskId }) => taskId));
}
