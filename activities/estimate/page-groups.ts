/** Groups the pages of a spec by study and model; for an existing run, with what is already answered. */
import type { Page, PlanRevision } from '../../schemas/plan.ts';
import type { Spec, SpecStudy } from '../../schemas/spec.ts';
import type { StepName } from '../../schemas/states.ts';
import type { Task } from '../../schemas/task.ts';
import type { Question } from '../../studies/cell-state.ts';
import { pagesOf, planRevision } from '../../studies/plan.ts';
import type { LeftOut } from '../runs/left-out.ts';
import type { KnownThoughts } from './thoughts.ts';
import type { AnsweredStep, Progress } from '../storage/ledger/ledger-counts.ts';

/** State of an existing run. */
export interface EarlierRun {
  readonly revisions: readonly PlanRevision[];
  readonly leftOut: LeftOut;
  readonly sealedPages: ReadonlySet<string>;
  readonly answered: readonly AnsweredStep[];
  /** Measured latency of a model; null if it has not answered yet. */
  medianLatencyMs(answeringModel: string): number | null;
  readonly thoughts: KnownThoughts;
  /** By all calls so far, also failed and lost ones. */
  readonly spent: Pick<Progress['spend'], 'tokens'> & { readonly usd: number };
}

/** Pages of one study under one model; in phase `variants` the model is the rewriter. */
export interface PageGroup {
  readonly study: SpecStudy;
  readonly model: string;
  readonly phase: Page['phase'];
  readonly cells: number;
  readonly sealedCells: number;
  readonly openPages: number;
  /**
   * Stored answers to a step, of the asked model if it has another role. `open`: answers on unsealed pages, including
   * those to questions of other groups.
   */
  answered(step: StepName, asked: Question['asked']): Reused & { readonly open: number };
}

export interface Reused {
  readonly samples: number;
  readonly tokens: number;
  readonly usd: number;
}

/** Those of an existing run, and those that the spec adds. */
export function plannedPages(
  spec: Spec,
  tasks: ReadonlyMap<string, readonly Task[]>,
  earlier: EarlierRun | null,
  leftOut: LeftOut,
): Page[] {
  const revisions = earlier?.revisions ?? [];
  const added = planRevision(spec, tasks, revisions, leftOut)?.pages ?? [];
  return [...pagesOf(revisions).map(({ page }) => page), ...added];
}

/** @param reused answers that the run will take over from other runs */
export function pageGroups(
  spec: Spec,
  tasks: ReadonlyMap<string, readonly Task[]>,
  earlier: EarlierRun | null,
  leftOut: LeftOut,
  reused: readonly AnsweredStep[] = [],
): PageGroup[] {
  const pages = plannedPages(spec, tasks, earlier, leftOut);
  const answered = Map.groupBy([...(earlier?.answered ?? []), ...reused], ({ page }) => page);
  const groups = Map.groupBy(pages, ({ study, model, phase }) => JSON.stringify([study, model, phase ?? null]));
  return spec.studies.flatMap((study) =>
    [...groups.values()].flatMap((group) =>
      group[0]?.study === study.name ? [pageGroup(study, group, answered, earlier)] : [],
    ),
  );
}

function pageGroup(
  study: SpecStudy,
  pages: readonly Page[],
  answered: ReadonlyMap<string, readonly AnsweredStep[]>,
  earlier: EarlierRun | null,
): PageGroup {
  const [open, sealed] = [false, true].map((wanted) =>
    pages.filter(({ page }) => (earlier?.sealedPages.has(page) ?? false) === wanted),
  );
  const stepsOf = (some: readonly Page[] | undefined, step: StepName, asked: Question['asked']): AnsweredStep[] =>
    (some ?? [])
      .flatMap(({ page }) => answered.get(page) ?? [])
      .filter((one) => one.step === step && (asked === 'study' || one.answeringModel === asked.model));
  return {
    study,
    model: pages[0]?.model ?? '',
    phase: pages[0]?.phase,
    cells: cellCount(pages),
    sealedCells: cellCount(sealed ?? []),
    openPages: open?.length ?? 0,
    answered: (step, asked) => {
      const all = stepsOf(pages, step, asked);
      return {
        samples: sum(all.map(({ samples }) => samples)),
        tokens: sum(all.map(({ tokens }) => tokens)),
        usd: sum(all.map(({ usd }) => usd)),
        open: sum(stepsOf(open, step, asked).map(({ answers }) => answers)),
      };
    },
  };
}

const cellCount = (pages: readonly Page[]): number => sum(pages.map(({ cells }) => cells.length));
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
