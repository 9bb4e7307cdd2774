/** The interval of ASL over tasks, and with the choice of its judges. */
import { clusteredInterval } from '../../statistics/intervals/clustered-interval.ts';
import { defaultLevel, type Interval, tailOf } from '../../statistics/intervals/interval.ts';
import { studentQuantile } from '../../statistics/student.ts';
import { type LoopCell, weightedSquare } from '../asl.ts';

export interface TaskCell extends LoopCell {
  readonly taskId: string;
}

/**
 * Gaffke's bounds over tasks. A cell without a similarity could have any: the lower end assumes 0, the upper end 1. One
 * that is cut short could sustain all loops. Null without cells.
 */
export function aslInterval(cells: readonly TaskCell[], maxLoops: number, level = defaultLevel): Interval | null {
  const tasks = [...Map.groupBy(cells, ({ taskId }) => taskId).values()];
  const over = (unscored: 0 | 1): Interval | null =>
    clusteredInterval(
      tasks,
      (cell) => (unscored === 1 && cell.isCutShort ? maxLoops : weightedSquare(cell, maxLoops, unscored)),
      { lo: 0, hi: maxLoops },
      level,
    );
  const [low, high] = [over(0), over(1)];
  return low && high && { lo: low.lo, hi: high.hi };
}

/**
 * The interval of ASL under any judge like those of the panel: the interval over tasks, with Student's t of the judges'
 * error put to it (MOVER, Zou and Donner 2008). It goes no further than an interval over tasks could with any scores:
 * all 0 at the lower end, all 1 at the upper end.
 * @param asl the estimate
 * @param overTasks its interval for the judges that were asked
 * @param error standard error from the choice of judges @param judges how many judged
 */
export function aslIntervalOverJudges(
  cells: readonly TaskCell[],
  maxLoops: number,
  { asl, overTasks, error, judges }: { asl: number; overTasks: Interval; error: number; judges: number },
  level = defaultLevel,
): Interval {
  const half = error * studentQuantile(1 - tailOf(level), judges - 1);
  const allScored = (similarity: 0 | 1): Interval =>
    aslInterval(
      cells.map((cell) => ({ ...cell, similarity })),
      maxLoops,
      level,
    ) as Interval;
  return {
    lo: Math.max(allScored(0).lo, asl - Math.hypot(asl - overTasks.lo, half)),
    hi: Math.min(allScored(1).hi, asl + Math.hypot(overTasks.hi - asl, half)),
  };
}
