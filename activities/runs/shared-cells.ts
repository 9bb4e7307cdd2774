/** A plan in memory: a study asks every model the same, so most pages have the cells of another model's page. */
import type { Cell, Page, PlanRevision } from '../../schemas/plan.ts';

/** The same plan with one list for the pages of a study that have the same number and equal cells. */
export function withSharedCells({ revision, pages }: PlanRevision): PlanRevision {
  const known = new Map<string, readonly Cell[]>();
  const shared = pages.map((page): Page => {
    const place = JSON.stringify([page.study, page.page.slice(page.page.lastIndexOf('/') + 1)]);
    const cells = known.get(place);
    if (cells !== undefined && areEqual(cells, page.cells)) return { ...page, cells };
    known.set(place, page.cells);
    return page;
  });
  return { revision, pages: shared };
}

const areEqual = (some: readonly Cell[], others: readonly Cell[]): boolean =>
  some.length === others.length &&
  some.every((one, index) => {
    const other = others[index];
    return (
      one.taskId === other?.taskId &&
      one.language === other.language &&
      one.variant === other.variant &&
      one.setting === other.setting &&
      one.repetition === other.repetition
    );
  });
