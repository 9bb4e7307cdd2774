/** Times are judged by programs that pass on all sides: one that fails at once is not fast. */
import type { SolutionMetricName } from '../solution-metrics.ts';
import type { SharedCells } from './shared-cells.ts';

const passing: Partial<Record<SolutionMetricName, SolutionMetricName>> = {
  wall_ms: 'wall_ms_passing',
  cpu_ms: 'cpu_ms_passing',
};

/** The cells that a time is judged by; other metrics by their own. @param all the cells of every metric */
export function passingOf(cells: SharedCells, all: readonly SharedCells[]): SharedCells {
  const name = passing[cells.measure.metric];
  const isSame = (one: SharedCells): boolean =>
    one.measure.metric === name && one.setting === cells.setting && one.dimension === cells.dimension;
  return name === undefined ? cells : (all.find(isSame) ?? cells);
}
