import { boundedMeanInterval } from './bounded-mean.ts';
import { defaultLevel, type Interval } from './interval.ts';

/**
 * The interval of an average over fixed columns (models, phrasings), each a mean over the tasks with a value there:
 * Gaffke's bounds of the tasks' parts. A task's part is the sum of value / (number of values in its column), times
 * tasks / columns, so that the mean of the parts is the average. The numbers of values count as fixed. Null if a column
 * has no value.
 * @param tasks values of each task, one for each column; null if it has none. Tasks without any value do not count
 */
export function averageInterval(
  tasks: readonly (readonly (number | null)[])[],
  { lo, hi }: Interval,
  level = defaultLevel,
): Interval | null {
  const counted = tasks.filter((task) => task.some((value) => value !== null));
  const columns = counted[0]?.length ?? 0;
  const counts = Array.from({ length: columns }, (_, column) => counted.filter((task) => task[column] !== null).length);
  if (columns === 0 || counts.includes(0)) return null;
  let most = 0;
  const parts = counted.map((task) => {
    let [part, weight] = [0, 0];
    for (const [column, value] of task.entries()) {
      if (value === null) continue;
      const share = counted.length / (columns * (counts[column] as number));
      part += share * (value - lo);
      weight += share;
    }
    most = Math.max(most, weight);
    return part;
  });
  const interval = boundedMeanInterval(parts, { lo: 0, hi: most * (hi - lo) }, { level });
  return interval && { lo: lo + snapped(interval.lo, hi - lo), hi: lo + snapped(interval.hi, hi - lo) };
}

/** Within rounding errors of an end of the range, that end: a mean of 100 has no upper limit of 99.99999999999999. */
function snapped(value: number, range: number): number {
  const near = 1e-12 * range;
  if (value < near) return 0;
  return value > range - near ? range : value;
}
