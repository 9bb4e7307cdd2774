import { boundedMeanInterval } from './bounded-mean.ts';
import { defaultLevel, type Interval } from './interval.ts';

/**
 * The interval of a mean over all cells, whose values lie within `bounds` and may depend on each other within a cluster
 * (a task): Gaffke's bounds of the cluster means, each weighted by its number of cells. Null without cells.
 */
export function clusteredInterval<Cell>(
  clusters: readonly (readonly Cell[])[],
  value: (cell: Cell) => number,
  bounds: Interval,
  level = defaultLevel,
): Interval | null {
  const used = clusters.filter(({ length }) => length > 0);
  const means = used.map((cells) => cells.reduce((sum, cell) => sum + value(cell), 0) / cells.length);
  return boundedMeanInterval(means, bounds, { level, weights: used.map(({ length }) => length) });
}
