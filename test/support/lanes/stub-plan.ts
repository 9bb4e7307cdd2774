/** Plans of many pages without cells: what a sweep of any size hands out. */
import type { PlannedPage } from '../../../activities/storage/ledger/plan.ts';
import type { SpecStudy } from '../../../schemas/spec.ts';

export interface StubPlan {
  readonly lanes: readonly { readonly model: string; readonly pages: number }[];
  /** Tasks whose references are run. */
  readonly tasks: number;
  /** Pages that cannot be opened. */
  readonly failing: readonly string[];
}

export const stubStudy = { name: 'plain', kind: 'pass', benchmark: 'tiny', settings: {} } as unknown as SpecStudy;

export const pageNames = ({ model, pages }: StubPlan['lanes'][number]): string[] =>
  Array.from({ length: pages }, (_, number) => `plain/${model}/r1p${String(number).padStart(4, '0')}`);

export const plannedPages = ({ lanes }: StubPlan): PlannedPage[] =>
  lanes.flatMap((lane) =>
    pageNames(lane).map((page) => ({ page, study: 'plain', model: lane.model, cells: 1, revision: 1 })),
  );
