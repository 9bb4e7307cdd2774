/** The interval of the Kolmogorov-Smirnov D for values in clusters (tasks). */
import type { BootstrapOptions } from './bootstrap.ts';
import { percentileInterval } from './bootstrap.ts';
import { defaultLevel, type Interval } from './interval.ts';
import { resampledByWeight } from './resampled-weights.ts';
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
  const [firsts, seconds] = [
    placesOf(
      used.map(({ first }) => first),
      at,
    ),
    placesOf(
      used.map(({ second }) => second),
      at,
    ),
  ];
  const [whole, drawn] = [new Float64Array(places + 1), new Float64Array(places + 1)];
  setDifference(whole, firsts, seconds, new Float64Array(n).fill(1));
  const changes = resampledByWeight(
    n,
    (times) => {
      if (!setDifference(drawn, firsts, seconds, times)) return null;
      let most = 0;
      for (let place = 0; place <= places; place += 1)
        most = Math.max(most, Math.abs((drawn[place] as number) - (whole[place] as number)));
      return most;
    },
    { ...options, resamples: options.resamples ?? defaultResamples },
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

/** Values of one group. A cluster has few of them, the grid many points, and a report a hundred thousand resamples. */
interface Places {
  /** For each value, the first point that it is at or below; those of a cluster one after the other. */
  readonly place: Uint8Array;
  /** Where each cluster ends. */
  readonly ends: Int32Array;
  /** Number of values up to each point, set anew by each resample. */
  readonly upTo: Float64Array;
}

function placesOf(clusters: readonly (readonly number[])[], at: Float64Array): Places {
  let end = 0;
  const placeOf = (value: number): number => {
    const place = at.findIndex((limit) => value <= limit);
    return place === -1 ? places : place;
  };
  return {
    place: Uint8Array.from(clusters.flat(), placeOf),
    ends: Int32Array.from(clusters, (own) => (end += own.length)),
    upTo: new Float64Array(places + 1),
  };
}

/** Counts the values up to each point, over clusters with these multiplicities. Returns the number of all values. */
function count({ place, ends, upTo }: Places, times: Float64Array): number {
  upTo.fill(0);
  for (let cluster = 0, value = 0; cluster < ends.length; cluster += 1) {
    const [weight, end] = [times[cluster] as number, ends[cluster] as number];
    for (; value < end; value += 1) {
      const own = place[value] as number;
      upTo[own] = (upTo[own] as number) + weight;
    }
  }
  for (let point = 1; point <= places; point += 1) upTo[point] = (upTo[point] as number) + (upTo[point - 1] as number);
  return upTo[places] as number;
}

/** Sets `found` to the difference of the two distributions at each point; false if one of them has no values. */
function setDifference(found: Float64Array, first: Places, second: Places, times: Float64Array): boolean {
  const [ofFirst, ofSecond] = [count(first, times), count(second, times)];
  if (ofFirst === 0 || ofSecond === 0) return false;
  for (let point = 0; point <= places; point += 1)
    found[point] = (first.upTo[point] as number) / ofFirst - (second.upTo[point] as number) / ofSecond;
  return true;
}
