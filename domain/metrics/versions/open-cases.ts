/** What the answers of two versions may be that could not be judged. */
import { type CellPart, phrasingSpread, type TaskPair } from '../phrasing-values.ts';
import { isShare, solutionMetrics } from '../solution-metrics.ts';
import type { VersionCells } from './version-cells.ts';

/** With such answers of the old version passed and those of the new one failed, and the other way round. */
export interface OpenCases {
  readonly least: VersionCells;
  readonly most: VersionCells;
}

/** Null if all answers were judged, or if the metric has no worst value. */
export function openCases(cells: VersionCells): OpenCases | null {
  if (!isShare(cells.metric) || cells.answered === undefined) return null;
  const filled = (old: number, now: number): VersionCells => ({
    ...cells,
    tasks: cells.tasks.map((task, index) => filledPair(task, cells.answered?.[index] ?? [], { old, now })),
  });
  const found = { least: filled(1, 0), most: filled(0, 1) };
  const isOpen = cells.tasks.some(({ old, now }, index) => {
    const { old: before, now: after } = found.least.tasks[index] as TaskPair;
    return old.some((part, place) => part !== before[place]) || now.some((part, place) => part !== after[place]);
  });
  return isOpen ? found : null;
}

/** The change of AVG; null if nothing counts. */
export function changeIn({ metric, tasks }: VersionCells): number | null {
  const { scale } = solutionMetrics[metric];
  const [old, now] = [tasks.map((task) => task.old), tasks.map((task) => task.now)].map(
    (parts) => phrasingSpread(parts, scale).mean,
  );
  return old == null || now == null ? null : now - old;
}

const filledPair = (
  { old, now }: TaskPair,
  [oldAnswers = [], newAnswers = []]: readonly (readonly boolean[])[],
  numerators: { readonly old: number; readonly now: number },
): TaskPair => ({
  old: old.map((part, place) => part ?? partOf(oldAnswers[place], numerators.old)),
  now: now.map((part, place) => part ?? partOf(newAnswers[place], numerators.now)),
});

const partOf = (isAnswered: boolean | undefined, numerator: number): CellPart =>
  isAnswered === true ? { numerator, denominator: 1 } : null;
