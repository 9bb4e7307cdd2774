/** The interval of the Kolmogorov-Smirnov D for values in clusters (tasks). */
import type { BootstrapOptions } from './bootstrap.ts';
import { percentileInterval } from './bootstrap.ts';
import { defaultLevel, type Interval } from './interval.ts';
import { drawnTimes } from './drawn-clusters.ts';
import { normalQuantile } from '../special.ts';
import { studentQuantile } from '../student.ts';

/** Name of the method in tables and reports. */
export const distanceMethod = 'Bickel and Krieger’s bootstrap band over tasks';

/** The values of both groups in one cluster; either may be empty. */
export interface ClusterValues {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Number of points at which the band is evaluated: quantiles of all values. */
const places = 64;
const defaultResamples = 400;

/**
 * D is the greatest distance of two distributions, so its error is at most that of their difference at some point.
 * Bickel and Krieger's band (1989), the quantile over resampled clusters of the greatest change of that difference, is
 * therefore an interval around D. For few clusters it is widened by Student's quantile / the normal one, and by the
 * root of n / (n - 1); it is at least as wide as unobserved clusters allow. Null for fewer than three clusters, or
 * without values on one side.
 * @param distance D of all values
 */
export function distanceInterval(
  clusters: readonly ClusterValues[],
  distance: number,
  options: BootstrapOptions,
): Interval | null {
  const used = clusters.filter(({ first, second }) => first.length + second.length > 0);
  const n = used.length;
  if (n < 3 || used.every(({ first }) => first.length === 0) || used.every(({ second }) => second.length === 0))
    return null;
  const level = options.level ?? defaultLevel;
  const at = grid(used.flatMap(({ first, second }) => [...first, ...second]));
  const resamples = options.resamples ?? defaultResamples;
  const changes = greatestChanges(
    placesOf(
      used.map(({ first }) => first),
      at,
    ),
    placesOf(
      used.map(({ second }) => second),
      at,
    ),
    drawnTimes(n, { seed: options.seed, resamples }),
    resamples,
  );
  // One-sided, because it is the greatest of all changes.
  const quantile = percentileInterval(changes, 2 * level - 1)?.hi ?? 1;
  const tail = (1 - level) / 2;
  const wider = (studentQuantile(1 - tail, n - 1) / normalQuantile(1 - tail)) * Math.sqrt(n / (n - 1));
  const half = Math.max(wider * quantile, 1 - (1 - level) ** (1 / n));
  return { lo: Math.max(0, distance - half), hi: Math.min(1, distance + half) };
}

function grid(values: readonly number[]): Float64Array {
  const sorted = Float64Array.from(values).sort();
  return Float64Array.from(
    { length: places },
    (_, place) => sorted[Math.floor(((place + 1) * sorted.length) / places) - 1] ?? (sorted[0] as number),
  );
}

/** Values of one group: those of each cluster one after the other. */
interface Places {
  /** For each value, the first point that it is at or below. */
  readonly place: Uint8Array;
  /** Where each cluster ends. */
  readonly ends: Int32Array;
}

function placesOf(clusters: readonly (readonly number[])[], at: Float64Array): Places {
  let end = 0;
  return {
    place: Uint8Array.from(clusters.flat(), (value) => placeOf(value, at)),
    ends: Int32Array.from(clusters, (own) => (end += own.length)),
  };
}

/** The number of points below the value; points are in ascending order. */
function placeOf(value: number, at: Float64Array): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((at[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The greatest change of the difference of two distributions, of each resample in which both have values. Counts of all
 * resamples are next to each other, so that one pass over the values serves all: a report has thousands of intervals.
 */
function greatestChanges(first: Places, second: Places, times: Uint16Array, resamples: number): number[] {
  const [ofFirst, ofSecond] = [counts(first, times, resamples), counts(second, times, resamples)];
  const [allFirst, allSecond] = [counts(first, onceEach(first), 1), counts(second, onceEach(second), 1)];
  const most = new Float64Array(resamples);
  const last = places * resamples;
  for (let point = 0; point < places; point += 1) {
    const whole = shareAt(allFirst, point, places) - shareAt(allSecond, point, places);
    for (let resample = 0; resample < resamples; resample += 1) {
      const at = point * resamples + resample;
      const drawn = shareAt(ofFirst, at, last + resample) - shareAt(ofSecond, at, last + resample);
      const change = Math.abs(drawn - whole);
      if (change > (most[resample] as number)) most[resample] = change;
    }
  }
  return [...most].filter((_, resample) => ofFirst[last + resample] !== 0 && ofSecond[last + resample] !== 0);
}

const shareAt = (upTo: Int32Array, at: number, last: number): number => (upTo[at] as number) / (upTo[last] as number);

const onceEach = ({ ends }: Places): Uint16Array => new Uint16Array(ends.length).fill(1);

/** Number of drawn values up to each point, by point and resample. */
function counts({ place, ends }: Places, times: Uint16Array, resamples: number): Int32Array {
  const upTo = new Int32Array((places + 1) * resamples);
  for (let cluster = 0, value = 0; cluster < ends.length; cluster += 1) {
    const from = cluster * resamples;
    for (; value < (ends[cluster] as number); value += 1) {
      const to = (place[value] as number) * resamples;
      for (let resample = 0; resample < resamples; resample += 1)
        upTo[to + resample] = (upTo[to + resample] as number) + (times[from + resample] as number);
    }
  }
  for (let at = resamples; at < upTo.length; at += 1)
    upTo[at] = (upTo[at] as number) + (upTo[at - resamples] as number);
  return upTo;
}
