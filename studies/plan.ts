/** Divides a study's cells into pages, and extends an earlier plan without changing it. */
import { slug } from '../domain/ids.ts';
import { type Cell, type Page, pageCells, type PlanRevision } from '../schemas/plan.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { studyOf } from './index.ts';

const cellId = (cell: Cell): string =>
  JSON.stringify([cell.taskId, cell.language, cell.variant, cell.setting, cell.repetition]);

/** Models under study, for one study of the spec. */
export function studyModels(spec: Spec, study: Spec['studies'][number]): string[] {
  const wanted = study.models ?? ownModels(study);
  return spec.models.filter((model) => model.study && (wanted?.includes(model.id) ?? true)).map((model) => model.id);
}

/** The models in the pairs that a study compares; undefined if it compares no pairs. */
function ownModels(study: SpecStudy): readonly string[] | undefined {
  const pairs = studyOf(study).pairs?.(study) ?? [];
  return pairs.length === 0 ? undefined : pairs.flat();
}

/**
 * The pages that `spec` needs and `earlier` does not hold yet, as the next revision; null if there are none.
 * @param tasks tasks by benchmark name
 * @param leftOut by study, its excluded tasks
 * @param deeper studies that need more answers in cells that are planned:
 *   their pages are planned again, with the same names
 */
export function planRevision(
  spec: Spec,
  tasks: ReadonlyMap<string, readonly Task[]>,
  earlier: readonly PlanRevision[],
  leftOut: Readonly<Record<string, readonly { readonly taskId: string }[]>> = {},
  deeper: ReadonlySet<string> = new Set(),
): PlanRevision | null {
  const revision = nextRevision(earlier);
  const planned = plannedCells(earlier);
  const pages = spec.studies.flatMap((study) => {
    const left = new Set((leftOut[study.name] ?? []).map(({ taskId }) => taskId));
    const tasksIn = (benchmark: string): Task[] =>
      (tasks.get(benchmark) ?? []).filter(({ taskId }) => !left.has(taskId));
    const cells = studyOf(study).cells(study, tasksIn(study.benchmark), tasksIn);
    const pages = studyModels(spec, study).flatMap((model) =>
      cutPages(study.name, model, revision, unplanned(planned.get(laneId(study.name, model)), cells)),
    );
    return [...variantPages(study, tasksIn(study.benchmark), planned, revision), ...pages];
  });
  const again = pagesOf(earlier).flatMap(({ page }) =>
    deeper.has(page.study) && page.phase === undefined ? [page] : [],
  );
  pages.unshift(...again);
  return pages.length === 0 ? null : { revision, pages };
}

export const nextRevision = (earlier: readonly PlanRevision[]): number => (earlier.at(-1)?.revision ?? 0) + 1;

/** Every page once, in the order first planned, with the newest revision that contains it. */
export function pagesOf(revisions: readonly PlanRevision[]): { readonly page: Page; readonly revision: number }[] {
  const newest = new Map<string, { readonly page: Page; readonly revision: number }>();
  for (const { revision, pages } of revisions) for (const page of pages) newest.set(page.page, { page, revision });
  return [...newest.values()];
}

const laneId = (study: string, model: string, phase?: Page['phase']): string =>
  JSON.stringify([study, model, phase ?? null]);

const unplanned = (known: ReadonlySet<string> | undefined, cells: readonly Cell[]): Cell[] =>
  cells.filter((cell) => !known?.has(cellId(cell)));

/** Tasks per page: enough to keep the history of a workflow over a thousand tasks short. */
const wordedTasksPerPage = 8;

/** Pages whose variants a model writes. All variants of a task are on one page, since they are checked together. */
function variantPages(
  study: SpecStudy,
  tasks: readonly Task[],
  planned: ReadonlyMap<string, ReadonlySet<string>>,
  revision: number,
): Page[] {
  const maker = studyOf(study).variants;
  const model = maker?.model(study) ?? null;
  if (maker === undefined || model === null) return [];
  const known = planned.get(laneId(study.name, model, 'variants'));
  const cellsOf = ({ taskId, language }: Task): Cell[] =>
    maker
      .names(study)
      .map((variant) => ({ taskId, language, variant, setting: maker.cellSetting ?? 'default', repetition: 0 }));
  const ofTasks = tasks.map((task) => unplanned(known, cellsOf(task))).filter((cells) => cells.length > 0);
  return Array.from({ length: Math.ceil(ofTasks.length / wordedTasksPerPage) }, (_, index) => ({
    page: `${slug(study.name)}/${slug(model)}/v${revision}p${String(index).padStart(4, '0')}`,
    study: study.name,
    model,
    cells: ofTasks.slice(index * wordedTasksPerPage, (index + 1) * wordedTasksPerPage).flat(),
    phase: 'variants' as const,
  }));
}

function plannedCells(revisions: readonly PlanRevision[]): Map<string, Set<string>> {
  const planned = new Map<string, Set<string>>();
  for (const page of revisions.flatMap(({ pages }) => pages)) {
    const lane = laneId(page.study, page.model, page.phase);
    const cells = planned.get(lane) ?? new Set();
    for (const cell of page.cells) cells.add(cellId(cell));
    planned.set(lane, cells);
  }
  return planned;
}

/** A page that two revisions of one number have with different cells; null if there is none. */
export function mixedPage(revisions: readonly PlanRevision[]): string | null {
  const sameNumber = Map.groupBy(revisions, ({ revision }) => revision).values();
  for (const group of [...sameNumber].filter(({ length }) => length > 1)) {
    const known = new Map<string, readonly Cell[]>();
    for (const { page, cells } of group.flatMap(({ pages }) => pages)) {
      const others = known.get(page) ?? cells;
      if (others.length !== cells.length || others.some((cell, at) => cellId(cell) !== cellId(cells[at] ?? cell)))
        return page;
      known.set(page, cells);
    }
  }
  return null;
}

/** Slices of nearly equal size, at most `pageCells` each, so that no page is much shorter than the others. */
function cutPages(study: string, model: string, revision: number, cells: readonly Cell[]): Page[] {
  const count = Math.ceil(cells.length / pageCells);
  return Array.from({ length: count }, (_, index) => ({
    page: `${slug(study)}/${slug(model)}/r${revision}p${String(index).padStart(4, '0')}`,
    study,
    model,
    cells: cells.slice(Math.floor((index * cells.length) / count), Math.floor(((index + 1) * cells.length) / count)),
  }));
}
