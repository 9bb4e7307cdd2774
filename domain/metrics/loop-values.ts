/** What each task adds to ASL: cells' i^2 s / M, whose mean over all cells is ASL. For comparisons task by task. */
import type { LoopEnding } from '../../schemas/states.ts';
import type { Row } from '../../schemas/tables.ts';
import { mean } from '../statistics/spread.ts';
import type { LoopCell } from './asl.ts';
import { numberOf, textOf } from './row-order.ts';

/** Value of each task, by id. */
export type ValueByTask = ReadonlyMap<string, number>;

/**
 * From rows of table `loops` of one study and model. A cell without a similarity takes the mean of those that
 * sustained as many loops, as the formula of ASL has it; null where there is none, and the whole is undefined.
 * @param weighted whether similarities count; else every s is 1
 */
export function loopValues(rows: readonly Row[], maxLoops: number, weighted: boolean): ValueByTask | null {
  const counted = rows.filter((row) => row['variant'] === 'original' && (row['ended_by'] as LoopEnding) !== 'excluded');
  const cells = counted.map((row) => ({ taskId: textOf(row, 'task_id'), ...loopCell(row) }));
  const factors = cells.map((cell) => (weighted ? similarityFactor(cell, cells, maxLoops) : 1));
  if (factors.includes(null)) return null;
  const values = cells.map(({ taskId, sustainedLoops }, index) => ({
    taskId,
    value: (sustainedLoops ** 2 * (factors[index] as number)) / maxLoops,
  }));
  const byTask = Map.groupBy(values, ({ taskId }) => taskId);
  return new Map([...byTask].map(([taskId, own]) => [taskId, mean(own.map(({ value }) => value)) as number]));
}

const loopCell = (row: Row): LoopCell => ({
  sustainedLoops: numberOf(row, 'sustained_loops'),
  similarity: row['similarity'] === null ? null : numberOf(row, 'similarity'),
});

function similarityFactor({ sustainedLoops: loops, similarity }: LoopCell, cells: readonly LoopCell[], maxLoops: number): number | null {
  if (loops === 0 || loops === maxLoops) return 1;
  const alike =
    similarity === null ? cells.filter((cell) => cell.sustainedLoops === loops).flatMap((cell) => cell.similarity ?? []) : [similarity];
  const known = mean(alike);
  return known === null ? null : (loops - 1 + known) / loops;
}
