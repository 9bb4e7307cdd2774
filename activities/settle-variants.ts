/** Decides which variants a model draws next, for all tasks of a page, when they are written draw by draw. */
import type { OpenVariants, PageRef } from '../schemas/steps.ts';
import type { Answer, OpenDraws } from '../studies/cell-state.ts';
import { type StepCells, stepCells } from './pages/page-cells.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { RunPage } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';
import { type VariantCache, variantsOf } from './pages/variant-sets.ts';

export interface SettleVariantsDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  readonly cache: VariantCache;
}

export const createSettleVariants =
  ({ runs, heartbeat, cache }: SettleVariantsDependencies) =>
  (ref: PageRef): Promise<OpenVariants> =>
    heartbeat(async () => settlePage(await runs.page(ref), cache));

/** Variants to draw next. After a crash tasks can be at different rounds; the earliest round comes first. */
async function settlePage(page: RunPage, cache: VariantCache): Promise<OpenVariants> {
  const cells = await stepCells(page);
  const wanted: { readonly taskId: string; readonly draws: OpenDraws }[] = [];
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const task = page.task(taskId);
    const end = await variantsOf(page, task, cache, ({ settle }) => {
      if (settle === undefined) throw new Error(`study ${page.study.name} does not write its variants draw by draw`);
      return settle(page.study, task, answersOf(page, cells, taskId));
    });
    if ('open' in end) wanted.push({ taskId, draws: end });
  }
  const ask = Math.min(...wanted.map(({ draws }) => draws.round));
  const next = new Map(
    wanted.filter(({ draws }) => draws.round === ask).map(({ taskId, draws }) => [taskId, new Set(draws.open)]),
  );
  const open = page.cells.flatMap(({ taskId, variant }, index) => (next.get(taskId)?.has(variant) ? [index] : []));
  return open.length === 0 ? { open, ask: 0 } : { open, ask };
}

function answersOf(
  page: RunPage,
  cells: StepCells,
  task: string,
): (variant: string, round: number) => Answer | undefined {
  const own = page.cells.flatMap(({ taskId, variant }, index) =>
    taskId === task ? [[variant, cells.cell(index)] as const] : [],
  );
  const byVariant = new Map(own);
  return (variant, round) => byVariant.get(variant)?.answer({ step: 'rewrite', loop: 1, ask: round, sample: 0 });
}
