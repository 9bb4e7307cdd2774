/**
 * How little and how much shares may vary between phrasings, with the answers that could not be judged: STDEV depends
 * on which of them pass, and is neither least nor most where all pass or all fail.
 */
import { standardDeviation } from '../../statistics/spread.ts';
import { hullOf, type Interval } from '../../statistics/intervals/interval.ts';
import { spreadInterval } from '../nfr-intervals.ts';
import { type CellPart, phrasingSpread, type TaskParts } from '../phrasing-values.ts';

export interface OpenSpread {
  /** The tasks with a part in place of each missing one, so that STDEV is least, and most. */
  readonly least: readonly TaskParts[];
  readonly most: readonly TaskParts[];
}

/**
 * The interval of STDEV of a share in percent, with all that missing answers allow. Null if it has none.
 * @param tasks of which at least one answer counts
 */
export function openSpreadInterval(tasks: readonly TaskParts[], level?: number): Interval | null {
  const intervalOf = (some: readonly TaskParts[]): Interval | null =>
    spreadInterval(phrasingSpread(some, percent), some, { scale: percent, unit: '%' }, level);
  const judged = intervalOf(tasks);
  const open = judged === null ? null : openSpread(tasks);
  if (open === null || judged === null) return judged;
  const ends = [intervalOf(open.least), intervalOf(open.most)];
  return ends.reduce<Interval>((all, one) => (one === null ? all : hullOf(all, one)), judged);
}

const percent = 100;

/** What a phrasing's share may be, from 0 to 1. */
interface Box {
  readonly lo: number;
  readonly hi: number;
}

/** Null if no part is missing. @param tasks parts of a share, one for each phrasing */
export function openSpread(tasks: readonly TaskParts[]): OpenSpread | null {
  const boxes = Array.from({ length: tasks[0]?.length ?? 0 }, (_, place) =>
    boxOf(tasks.map((parts) => parts[place] ?? null)),
  );
  if (boxes.every(({ lo, hi }) => lo === hi)) return null;
  return { least: filledTo(tasks, boxes, nearest(boxes)), most: filledTo(tasks, boxes, farthest(boxes)) };
}

function boxOf(parts: readonly CellPart[]): Box {
  const open = parts.filter((part) => part === null).length;
  const passed = parts.reduce((sum, part) => sum + (part?.numerator ?? 0), 0);
  return { lo: passed / parts.length, hi: (passed + open) / parts.length };
}

/** Missing parts pass by such a share that each phrasing has this value. */
function filledTo(tasks: readonly TaskParts[], boxes: readonly Box[], values: readonly number[]): TaskParts[] {
  const shares = boxes.map(({ lo, hi }, place) => (lo === hi ? 0 : ((values[place] as number) - lo) / (hi - lo)));
  return tasks.map((parts) =>
    parts.map((part, place) => part ?? { numerator: shares[place] as number, denominator: 1 }),
  );
}

const steps = 100;

/** Values nearest to one centre, that which leaves the smallest sum of squares: a convex function of it. */
function nearest(boxes: readonly Box[]): number[] {
  const around = (centre: number): number[] => boxes.map(({ lo, hi }) => Math.min(hi, Math.max(lo, centre)));
  const squares = (centre: number): number => around(centre).reduce((sum, value) => sum + (value - centre) ** 2, 0);
  let [from, to] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    const third = (to - from) / 3;
    if (squares(from + third) <= squares(to - third)) to -= third;
    else from += third;
  }
  return around((from + to) / 2);
}

/** So many phrasings are tried with all their ends. */
const triedAtMost = 12;

/** A sum of squares is most where each value is at an end of its box. */
function farthest(boxes: readonly Box[]): number[] {
  const open = boxes.flatMap(({ lo, hi }, place) => (lo === hi ? [] : [place]));
  const candidates = open.length <= triedAtMost ? allEnds(boxes, open) : splitEnds(boxes);
  let best = { values: boxes.map(({ lo }) => lo), spread: -1 };
  for (const values of candidates) {
    const spread = standardDeviation(values) ?? 0;
    if (spread > best.spread) best = { values, spread };
  }
  return best.values;
}

const allEnds = (boxes: readonly Box[], open: readonly number[]): number[][] =>
  Array.from({ length: 2 ** open.length }, (_, choice) =>
    boxes.map(({ lo, hi }, place) => ((choice >> open.indexOf(place)) & 1 && open.includes(place) ? hi : lo)),
  );

/** Of more phrasings: those with the lower middles at their lower ends, the others at their upper ends. */
function splitEnds(boxes: readonly Box[]): number[][] {
  const middle = (place: number): number => (boxes[place]?.lo ?? 0) + (boxes[place]?.hi ?? 0);
  const order = boxes.map((_, place) => place).toSorted((one, other) => middle(one) - middle(other));
  return [...order, -1].map((_, low) => boxes.map(({ lo, hi }, place) => (order.indexOf(place) < low ? lo : hi)));
}
