/** Each task's contribution to ASL, for comparisons task by task: i^2 s / M, whose mean over all cells is ASL. */
import type { LoopEnding } from '../../../schemas/states.ts';
import type { Row } from '../../../schemas/tables.ts';
import type { OpenValues, ValueByTask } from '../../../analysis/gate/compared.ts';
import { mean } from '../../../domain/statistics/spread.ts';
import type { LoopCell } from '../../../domain/metrics/asl.ts';
import { numberOf, textOf } from '../../../domain/metrics/row-order.ts';

/**
 * From rows of table `loops` of one study and model. A cell without a similarity takes the mean of the cells that
 * sustained the same number of loops, as in the formula of ASL. Null if there is no such mean: ASL is then undefined.
 * @param weighted whether similarities count; if not, every s is 1
 */
export function loopValues(rows: readonly Row[], maxLoops: number, weighted: boolean): ValueByTask | null {
  const counted = rows.filter((row) => row['variant'] === 'original' && (row['ended_by'] as LoopEnding) !== 'excluded');
  const points = loopPoints(counted, maxLoops, weighted);
  return points === null ? null : meanByTask(points);
}

function loopPoints(rows: readonly Row[], maxLoops: number, weighted: boolean): TaskPoint[] | null {
  const cells = rows.map((row) => ({ taskId: textOf(row, 'task_id'), ...loopCell(row) }));
  const factors = cells.map((cell) => (weighted ? similarityFactor(cell, cells, maxLoops) : 1));
  if (factors.includes(null)) return null;
  return cells.map(({ taskId, sustainedLoops }, index) => ({
    taskId,
    value: (sustainedLoops ** 2 * (factors[index] as number)) / maxLoops,
  }));
}

/**
 * The least and the most that each task's value may be: a cell that a limit of evenkeel ended may have broken just
 * there, or have sustained all loops. Of rows of one study and model, as above.
 */
export function loopExtremes(rows: readonly Row[], maxLoops: number, weighted: boolean): OpenValues {
  const own = rows.filter((row) => row['variant'] === 'original');
  const isOpen = (row: Row): boolean => (row['ended_by'] as LoopEnding) === 'excluded';
  const known =
    loopPoints(
      own.filter((row) => !isOpen(row)),
      maxLoops,
      weighted,
    ) ?? [];
  const open = own.filter(isOpen).map((row) => {
    const [taskId, loops] = [textOf(row, 'task_id'), numberOf(row, 'sustained_loops')];
    return { taskId, least: (loops * Math.max(0, weighted ? loops - 1 : loops)) / maxLoops, most: maxLoops };
  });
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

const loopCell = (row: Row): LoopCell => ({
  sustainedLoops: numberOf(row, 'sustained_loops'),
  similarity: row['similarity'] === null ? null : numberOf(row, 'similarity'),
});

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
