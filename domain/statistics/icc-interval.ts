/** Intervals of intraclass correlations, by Fisher's F (Shrout and Fleiss 1979; McGraw and Wong 1996). */
import { betaQuantile } from './beta.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { meanSquares, type ScoreTable } from './rank-agreement.ts';

/** The method's name, as tables and reports show it. */
export const iccMethod = 'McGraw and Wong';

export interface IccIntervals {
  readonly agreement: Interval;
  readonly consistency: Interval;
}

/** Null for fewer than three models or two settings, and where the settings leave no residual: there is nothing to measure the spread by. */
export function iccIntervals(table: ScoreTable, level = defaultLevel): IccIntervals | null {
  const [settings, models] = [table.length, table[0]?.length ?? 0];
  if (settings < 2 || models < 3) return null;
  const squares = meanSquares(table);
  if (squares === null || squares.residual <= 1e-24 * squares.between || squares.between === 0) return null;
  const high = 1 - tailOf(level);
  return {
    agreement: agreementInterval(squares, models, settings, high),
    consistency: consistencyInterval(squares, models, settings, high),
  };
}

type Squares = NonNullable<ReturnType<typeof meanSquares>>;

function consistencyInterval({ between, residual }: Squares, models: number, settings: number, high: number): Interval {
  const [df1, df2] = [models - 1, (models - 1) * (settings - 1)];
  const f = between / residual;
  const [low, top] = [f / fisherQuantile(high, df1, df2), f * fisherQuantile(high, df2, df1)];
  return { lo: (low - 1) / (low + settings - 1), hi: (top - 1) / (top + settings - 1) };
}

function agreementInterval({ between, shift, residual }: Squares, models: number, settings: number, high: number): Interval {
  const [n, k] = [models, settings];
  const icc = (between - residual) / (between + (k - 1) * residual + (k * (shift - residual)) / n);
  const a = (k * icc) / (n * (1 - icc));
  const b = 1 + (k * icc * (n - 1)) / (n * (1 - icc));
  const df = (a * shift + b * residual) ** 2 / ((a * shift) ** 2 / (k - 1) + (b * residual) ** 2 / ((n - 1) * (k - 1)));
  const spread = k * shift + (k * n - k - n) * residual;
  const [upper, lower] = [fisherQuantile(high, n - 1, df), fisherQuantile(high, df, n - 1)];
  return {
    lo: (n * (between - upper * residual)) / (upper * spread + n * between),
    hi: (n * (lower * between - residual)) / (spread + n * lower * between),
  };
}

/** The x with P(F <= x) = p. */
function fisherQuantile(p: number, df1: number, df2: number): number {
  const x = betaQuantile(1 - p, df2 / 2, df1 / 2);
  return (df2 * (1 - x)) / (df1 * x);
}
