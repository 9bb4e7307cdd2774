/**
 * Effects of a version update over dimensions and benchmarks: how much each metric changes, where it changes most, and
 * which metrics trade off.
 */

/** One metric's change, in percent of the old value; null if there is none. */
export interface MetricDelta {
  readonly benchmark: string;
  readonly dimension: string;
  readonly metric: string;
  readonly deltaPercent: number | null;
}

export interface DeltaRange {
  readonly metric: string;
  /** Smallest and largest |delta|, in percent. */
  readonly least: number;
  readonly most: number;
  /** Where the largest |delta| is. */
  readonly dimension: string;
  readonly benchmark: string;
}

/**
 * The range of each metric's |delta| over dimensions and benchmarks, in the order of the metrics,
 * without metrics that have no delta.
 */
export function deltaRanges(deltas: readonly MetricDelta[]): DeltaRange[] {
  const metrics = [...new Set(deltas.map(({ metric }) => metric))];
  return metrics.flatMap((metric) => {
    const sizes = deltas.flatMap((delta) =>
      delta.metric === metric && delta.deltaPercent !== null ? [{ ...delta, size: Math.abs(delta.deltaPercent) }] : [],
    );
    const [least, most] = [sizes.toSorted((a, b) => a.size - b.size)[0], sizes.toSorted((a, b) => b.size - a.size)[0]];
    if (least === undefined || most === undefined) return [];
    return [{ metric, least: least.size, most: most.size, dimension: most.dimension, benchmark: most.benchmark }];
  });
}

export interface TradeOff {
  readonly dimension: string;
  readonly metrics: readonly [string, string];
  /** By benchmark: the direction of each metric's change, -1, 0 or 1. */
  readonly signs: Readonly<Record<string, readonly [number, number]>>;
  /** Whether the directions are the same on all benchmarks. */
  readonly agrees: boolean;
}

/**
 * For each dimension and pair of metrics on two or more benchmarks: whether they change in the same directions on all.
 */
export function tradeOffs(deltas: readonly MetricDelta[]): TradeOff[] {
  const metrics = [...new Set(deltas.map(({ metric }) => metric))];
  const dimensions = [...new Set(deltas.map(({ dimension }) => dimension))];
  const pairs = metrics.flatMap((first, index) => metrics.slice(index + 1).map((second) => [first, second] as const));
  return dimensions.flatMap((dimension) =>
    pairs.flatMap((pair) => {
      const signs = signsOf(deltas, dimension, pair);
      const values = Object.values(signs);
      return values.length < 2
        ? []
        : [{ dimension, metrics: pair, signs, agrees: new Set(values.map(String)).size === 1 }];
    }),
  );
}

function signsOf(
  deltas: readonly MetricDelta[],
  dimension: string,
  [first, second]: readonly [string, string],
): TradeOff['signs'] {
  const of = (metric: string, benchmark: string): number | null =>
    deltas.find((delta) => delta.dimension === dimension && delta.metric === metric && delta.benchmark === benchmark)
      ?.deltaPercent ?? null;
  const benchmarks = [...new Set(deltas.map(({ benchmark }) => benchmark))];
  return Object.fromEntries(
    benchmarks.flatMap((benchmark) => {
      const [one, other] = [of(first, benchmark), of(second, benchmark)];
      return one === null || other === null ? [] : [[benchmark, [signOf(one), signOf(other)] as const]];
    }),
  );
}

/** Changes below this, in percent, are rounding errors of sums. */
const noChange = 1e-9;
const signOf = (percent: number): number => (Math.abs(percent) < noChange ? 0 : Math.sign(percent));
