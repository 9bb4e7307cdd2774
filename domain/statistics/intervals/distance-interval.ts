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
    used.map(({ first }) => pointsOf(first, at)),
    used.map(({ second }) => pointsOf(second, at)),
  ];
  const difference = (times: Float64Array): Float64Array | null =>
    subtracted(sums(firsts, times), sums(seconds, times));
  const whole = difference(new Float64Array(n).fill(1)) as Float64Array;
  const changes = resampledByWeight(
    n,
    (times) => {
      const drawn = difference(times);
      return drawn === null
        ? null
        : drawn.reduce((most, value, place) => Math.max(most, Math.abs(value - (whole[place] as number))), 0);
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

/** For each value, the first point that it is at or below. A cluster has few values, and the grid many points. */
const pointsOf = (values: readonly number[], at: Float64Array): Uint8Array =>
  Uint8Array.from(values, (value) => {
    const place = at.findIndex((limit) => value <= limit);
    return place === -1 ? places : place;
  });

/** The distribution over clusters with these multiplicities, at each point; null without values. */
function sums(points: readonly Uint8Array[], times: Float64Array): Float64Array | null {
  const total = new Float64Array(places + 1);
  for (let cluster = 0; cluster < points.length; cluster += 1) {
    const [own, weight] = [points[cluster] as Uint8Array, times[cluster] as number];
    for (let value = 0; value < own.length; value += 1) {
      const place = own[value] as number;
      total[place] = (total[place] as number) + weight;
    }
  }
  for (let place = 1; place <= places; place += 1)
    total[place] = (total[place] as number) + (total[place - 1] as number);
  const all = total[places] as number;
  return all === 0 ? null : total.map((count) => count / all);
}

const subtracted = (first: Float64Array | null, second: Float64Array | null): Float64Array | null =>
  first === null || second === null ? null : first.map((value, place) => value - (second[place] as number));
