/** Each task's contribution to ASL, for comparisons task by task: i^2 s / M, whose mean over all cells is ASL. */
import type { OpenValues, ValueByTask } from '../../../analysis/gate/compared.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { LoopCell } from '../../../domain/metrics/asl.ts';
import type { EndedLoops } from './default-loops.ts';

/**
 * Of the cells of one study and model. A cell without a similarity takes the mean of the cells that sustained the same
 * number of loops, as in the formula of ASL. Null if there is no such mean: ASL is then undefined.
 * @param weighted whether similarities count; if not, every s is 1
 */
export function loopValues(cells: readonly EndedLoops[], maxLoops: number, weighted: boolean): ValueByTask | null {
  const points = loopPoints(
    cells.filter(({ isExcluded }) => !isExcluded),
    maxLoops,
    weighted,
  );
  return points === null ? null : meanByTask(points);
}

function loopPoints(cells: readonly EndedLoops[], maxLoops: number, weighted: boolean): TaskPoint[] | null {
  const factors = cells.map((cell) => (weighted ? similarityFactor(cell, cells, maxLoops) : 1));
  if (factors.includes(null)) return null;
  return cells.map(({ taskId, sustainedLoops }, index) => ({
    taskId,
    value: (sustainedLoops ** 2 * (factors[index] as number)) / maxLoops,
  }));
}

/**
 * The least and the most that each task's value may be: a cell that a limit of evenkeel ended may have broken just
 * there, or have sustained all loops. Of the cells of one study and model, as above.
 */
export function loopExtremes(cells: readonly EndedLoops[], maxLoops: number, weighted: boolean): OpenValues {
  const known =
    loopPoints(
      cells.filter(({ isExcluded }) => !isExcluded),
      maxLoops,
      weighted,
    ) ?? [];
  const open = cells
    .filter(({ isExcluded }) => isExcluded)
    .map(({ taskId, sustainedLoops: loops }) => ({
      taskId,
      least: (loops * Math.max(0, weighted ? loops - 1 : loops)) / maxLoops,
      most: maxLoops,
    }));
  const all = [...known.map(({ taskId, value }) => ({ taskId, least: value, most: value })), ...open];
  return {
    values: meanByTask(known),
    least: meanByTask(all.map(({ taskId, least }) => ({ taskId, value: least }))),
    most: meanByTask(all.map(({ taskId, most }) => ({ taskId, value: most }))),
    unjudged: open.length,
  };
}

interface TaskPoint {
  readonly taskId: string;
  readonly value: number;
}

function meanByTask(points: readonly TaskPoint[]): ValueByTask {
  const byTask = Map.groupBy(points, ({ taskId }) => taskId);
  return new Map([...byTask].map(([taskId, own]) => [taskId, mean(own.map(({ value }) => value)) as number]));
}

function similarityFactor(
  { sustainedLoops: loops, similarity }: LoopCell,
  cells: readonly LoopCell[],
  maxLoops: number,
): number | null {
  if (loops === 0 || loops === maxLoops) return 1;
  const alike =
    similarity === null
      ? cells.filter((cell) => cell.sustainedLoops === loops).flatMap((cell) => cell.similarity ?? [])
      : [similarity];
  const known = mean(alike);
  return known === null ? null : (loops - 1 + known) / loops;
}
