/** What some variables explain beyond others, when observations come in clusters. */
import { defaultLevel, type Interval } from './interval.ts';
import { leastSquares } from './least-squares.ts';
import { fisherTail } from './special.ts';
import { tTest } from './student.ts';

/** A variable with one value per observation. */
export interface Regressor {
  readonly name: string;
  readonly values: readonly number[];
}

export interface AddedEffect {
  readonly name: string;
  /** Change of the outcome with one unit more; null for a variable that the others make up. */
  readonly coefficient: number | null;
  /** Robust to dependence within clusters (Liang and Zeger 1986, with the correction G / (G - 1) · (n - 1) / (n - k)). */
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
      /** Partial F of the added variables, for independent observations. */
      readonly f: { readonly statistic: number; readonly df1: number; readonly df2: number; readonly p: number };
      readonly effects: readonly AddedEffect[];
      readonly reason: null;
    }
  | { readonly n: number; readonly reason: string };

/** Least squares with a constant: controls first, then the added variables. `clusters` names each observation's cluster. */
export function addedVariance(
  outcome: readonly number[],
  controls: readonly Regressor[],
  added: readonly Regressor[],
  clusters: readonly string[],
): AddedVariance {
  const n = outcome.length;
  const constant = outcome.map(() => 1);
  const [base, first] = [leastSquares([constant], outcome), [constant, ...controls.map(({ values }) => values)]];
  if (n === 0 || base.residualSquares === 0) return { n, reason: n === 0 ? 'no observation' : 'the outcome is constant' };
  const less = leastSquares(first, outcome);
  const columns = [...first, ...added.map(({ values }) => values)];
  const more = leastSquares(columns, outcome);
  const [df1, df2] = [more.rank - less.rank, n - more.rank];
  const groups = new Set(clusters).size;
  if (df1 === 0) return { n, reason: 'the controls make up the added variables' };
  if (df2 <= 0 || groups < 2) return { n, reason: groups < 2 ? 'fewer than two clusters' : 'as many variables as observations' };
  const statistic = (less.residualSquares - more.residualSquares) / df1 / (more.residualSquares / df2);
  const share = (rest: number): number => 1 - rest / base.residualSquares;
  const errors = clusterErrors(columns, more, clusters);
  return {
    n,
    clusters: groups,
    r2Controls: share(less.residualSquares),
    r2: share(more.residualSquares),
    deltaR2: share(more.residualSquares) - share(less.residualSquares),
    f: { statistic, df1, df2, p: fisherTail(df1, df2, statistic) },
    effects: added.map(({ name }, index) => effectOf(name, more.coefficients[first.length + index], errors[first.length + index], groups)),
    reason: null,
  };
}

function effectOf(name: string, coefficient = 0, standardError = 0, groups: number): AddedEffect {
  if (standardError === 0) return { name, coefficient: null, standardError: null, p: null, interval: null };
  const { p, interval } = tTest(coefficient, standardError, groups - 1, defaultLevel);
  return { name, coefficient, standardError, p, interval };
}

/** Standard error per column; 0 for one that the others make up. */
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
