/** How much some variables explain beyond others, for observations in clusters. */
import { defaultLevel, type Interval } from './intervals/interval.ts';
import { dot, leastSquares } from './least-squares.ts';
import { greatest, isConstant, rounding, unitOf } from './rounding.ts';
import { fisherTail } from './special.ts';
import { tTest } from './student.ts';

/** A variable with one value per observation. */
export interface Regressor {
  readonly name: string;
  readonly values: readonly number[];
}

export interface AddedEffect {
  readonly name: string;
  /** Change of the outcome per unit; null for a variable that is a linear combination of others. */
  readonly coefficient: number | null;
  /**
   * Robust to dependence within clusters (Liang and Zeger 1986, with the correction G / (G - 1) · (n - 1) / (n - k)).
   */
  readonly standardError: number | null;
  /** From Student's t at clusters - 1 degrees of freedom. */
  readonly p: number | null;
  readonly interval: Interval | null;
}

export type AddedVariance =
  | {
      readonly n: number;
      readonly clusters: number;
      /** Share of the outcome's variance that the controls explain, and all variables. */
      readonly r2Controls: number;
      readonly r2: number;
      readonly deltaR2: number;
      /**
       * Partial F of the added variables, for independent observations; null if the variables determine the outcome
       * exactly, so that there is no residual to test against.
       */
      readonly f: { readonly statistic: number; readonly df1: number; readonly df2: number; readonly p: number } | null;
      readonly effects: readonly AddedEffect[];
      readonly reason: null;
    }
  | { readonly n: number; readonly reason: string };

/**
 * Least squares with a constant: controls first, then the added variables. `clusters` names each observation's cluster.
 * Residuals from rounding count as 0: a constant outcome gives a reason, one determined by the variables
 * gives shares but no test.
 */
export function addedVariance(
  outcome: readonly number[],
  controls: readonly Regressor[],
  added: readonly Regressor[],
  clusters: readonly string[],
): AddedVariance {
  const n = outcome.length;
  if (n === 0 || isConstant(outcome)) return { n, reason: n === 0 ? 'no observation' : 'the outcome is constant' };
  const groups = new Set(clusters).size;
  if (groups < 2) return { n, reason: 'fewer than two clusters' };
  const scales = { outcome: unitOf(outcome), added: added.map(({ values }) => unitOf(values)) };
  const y = inUnit(outcome, scales.outcome);
  const constant = outcome.map(() => 1);
  const first = [constant, ...controls.map(({ values }) => inUnit(values, unitOf(values)))];
  const columns = [...first, ...added.map(({ values }, index) => inUnit(values, scales.added[index] as number))];
  const [base, less, more] = [leastSquares([constant], y), leastSquares(first, y), leastSquares(columns, y)];
  const [df1, df2] = [more.rank - less.rank, n - more.rank];
  if (df1 === 0) return { n, reason: 'the added variables are linear combinations of the controls' };
  if (df2 <= 0) return { n, reason: 'as many variables as observations' };
  const share = (rest: number): number => 1 - rest / base.residualSquares;
  const whole = more.residualSquares <= n * (rounding * greatest(y)) ** 2;
  const gain = Math.max(0, less.residualSquares - more.residualSquares);
  const statistic = gain / df1 / (more.residualSquares / df2);
  const errors = clusterErrors(columns, more, clusters);
  return {
    n,
    clusters: groups,
    r2Controls: share(less.residualSquares),
    r2: share(more.residualSquares),
    deltaR2: gain / base.residualSquares,
    f: whole ? null : { statistic, df1, df2, p: fisherTail(df1, df2, statistic) },
    effects: added.map(({ name }, index) => {
      const at = first.length + index;
      // The most that a unit of the variable can move the outcome: a much smaller error is rounding.
      const scale =
        (Math.sqrt(dot(y, y)) / Math.sqrt(dot(columns[at] as number[], columns[at] as number[]) || 1)) * rounding;
      const error = whole || (errors[at] as number) <= scale ? 0 : (errors[at] as number);
      return effectOf(
        name,
        more.coefficients[at] as number,
        error,
        groups,
        scales.outcome / (scales.added[index] as number),
      );
    }),
    reason: null,
  };
}

const inUnit = (values: readonly number[], unit: number): number[] => values.map((value) => value / unit);

function effectOf(name: string, coefficient: number, standardError: number, groups: number, unit: number): AddedEffect {
  const error = unit * standardError;
  if (error === 0 || !Number.isFinite(error))
    return { name, coefficient: null, standardError: null, p: null, interval: null };
  const { p, interval } = tTest(coefficient, standardError, groups - 1, defaultLevel);
  const ends = { lo: unit * interval.lo, hi: unit * interval.hi };
  return { name, coefficient: unit * coefficient, standardError: error, p, interval: ends };
}

/** Standard error per column; 0 for a linear combination of others. */
function clusterErrors(
  columns: readonly (readonly number[])[],
  { residuals, inverse, rank }: ReturnType<typeof leastSquares>,
  clusters: readonly string[],
): number[] {
  const scores = new Map<string, number[]>();
  for (const [row, cluster] of clusters.entries()) {
    const sums = scores.get(cluster) ?? columns.map(() => 0);
    for (const [index, column] of columns.entries())
      sums[index] = (sums[index] as number) + (column[row] as number) * (residuals[row] as number);
    scores.set(cluster, sums);
  }
  const [n, groups] = [residuals.length, scores.size];
  const correction = (groups / (groups - 1)) * ((n - 1) / (n - rank));
  return columns.map((_, index) => {
    const along = [...scores.values()].map((sums) =>
      sums.reduce((total, value, at) => total + value * (inverse[index]?.[at] as number), 0),
    );
    return Math.sqrt(correction * along.reduce((total, value) => total + value ** 2, 0));
  });
}
