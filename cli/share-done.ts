/** How much of a run is done, 0 to 1, by the calls that its cells come to. */
import type { Progress } from '../activities/storage/ledger-counts.ts';

/** What a run comes to, known from its plan. */
export interface Extent {
  /** Suites whose reference has to be run before anything is asked. */
  readonly references: number;
  /** Calls of one cell, by study. */
  readonly courses: Readonly<Record<string, Course>>;
}

/** Calls of a cell at least and at most: they differ where a task ends when its code fails. */
export interface Course {
  readonly least: number;
  readonly most: number;
}

type Lane = Progress['lanes'][number];

export function cellCounts({ lanes }: Pick<Progress, 'lanes'>): { cells: number; done: number } {
  return { cells: sum(lanes.map(({ cells }) => cells)), done: sum(lanes.map(({ cellsDone }) => cellsDone)) };
}

export function shareOf(progress: Pick<Progress, 'lanes'>, { courses }: Extent): number {
  const { cells, done } = cellCounts(progress);
  if (done === cells) return 1;
  const works = progress.lanes.map((lane) => laneWork(lane, courses[lane.study] ?? { least: 1, most: 1 }));
  const [made, left] = [sum(works.map((work) => work.made)), sum(works.map((work) => work.left))];
  return made + left === 0 ? done / cells : made / (made + left);
}

interface Work {
  /** Calls. */
  readonly made: number;
  readonly left: number;
}

function laneWork({ cells, cellsDone, answered }: Lane, { least, most }: Course): Work {
  if (least < most) return { made: answered, left: callsLeft(cells, cellsDone, answered, most) };
  const made = Math.min(cells * most, Math.max(cellsDone * most, answered));
  return { made, left: cells * most - made };
}

/**
 * Calls that cells still make which end early: an open one has had `had` calls if those that ended had half as many on average, and its chance to end
 * at a call is what it has been so far, h: of n cells, n exp(-h had) are open. One call with h = 0 is one call; with h the expected number is (1 - exp(-h t)) / h
 * over the t calls that are left at most. Example: 100 cells of 21 calls at most, 50 ended, 750 calls made: had = 10, h = 0.069, t = 11, 385 calls left.
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
