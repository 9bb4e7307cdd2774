/** How much of a run is done, 0 to 1, by the calls of its cells. */
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';

/** How much work a run has, from its plan. */
export interface Extent {
  /** Number of suites whose reference runs before any call; null if the spec does not say how many there are. */
  readonly references: number | null;
  /**
   * Number of tasks whose mutations are tried before any call: absent without simulated models; null if benchmarks may
   * share tasks.
   */
  readonly mutated?: number | null;
  /** Calls of one cell, by study. */
  readonly callsPerCell: Readonly<Record<string, CallRange>>;
}

/** Fewest and most calls of a cell: they differ where a task ends when its code fails. */
export interface CallRange {
  readonly least: number;
  readonly most: number;
}

type Lane = Progress['lanes'][number];

export function cellCounts({ lanes }: Pick<Progress, 'lanes'>): { cells: number; done: number } {
  return { cells: sum(lanes.map(({ cells }) => cells)), done: sum(lanes.map(({ cellsDone }) => cellsDone)) };
}

export function shareOf(progress: Pick<Progress, 'lanes'>, { callsPerCell }: Extent): number {
  const { cells, done } = cellCounts(progress);
  if (done === cells) return 1;
  const works = progress.lanes.map((lane) => laneWork(lane, callsPerCell[lane.study] ?? { least: 1, most: 1 }));
  const [made, left] = [sum(works.map((work) => work.made)), sum(works.map((work) => work.left))];
  return made + left === 0 ? done / cells : made / (made + left);
}

interface Work {
  /** Calls. */
  readonly made: number;
  readonly left: number;
}

function laneWork({ cells, cellsDone, answered }: Lane, { least, most }: CallRange): Work {
  if (least < most) return { made: answered, left: callsLeft(cells, cellsDone, answered, most) };
  const made = Math.min(cells * most, Math.max(cellsDone * most, answered));
  return { made, left: cells * most - made };
}

/**
 * Expected calls left of cells that may end early. Assumes that ended cells made half as many calls as open ones, which
 * gives `had` calls per open cell, and that the chance h of ending at a call stays as it was: of n cells,
 * n exp(-h had) are open. An open cell with at most t calls left then makes (1 - exp(-h t)) / h calls, or t for h = 0.
 * Example: 100 cells of at most 21 calls, 50 ended, 750 calls made: had = 10, h = 0.069, t = 11, 385 calls left.
 */
function callsLeft(cells: number, ended: number, made: number, most: number): number {
  const open = cells - ended;
  if (open === 0) return 0;
  const had = Math.min(most, made / (open + ended / 2));
  const hazard = ended === 0 || had === 0 ? 0 : Math.log(cells / open) / had;
  const left = most - had;
  return open * (hazard * left < 1e-6 ? left : (1 - Math.exp(-hazard * left)) / hazard);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
