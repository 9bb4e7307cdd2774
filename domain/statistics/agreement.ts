import { isConstant, unitOf } from './rounding.ts';
import { mean } from './spread.ts';

/** How well one list of numbers predicts another. */
export interface Agreement {
  /** Mean absolute error. */
  readonly mae: number;
  readonly rmse: number;
  /** 1 - residual / total sum of squares of the predicted values; null if these are constant. */
  readonly r2: number | null;
  /** Mean of |a - b| / mean of |a| and |b|, 0 to 2; pairs of two zeros count as 0. */
  readonly smape: number;
  readonly n: number;
}

/** @param foretold the values to predict. Null without pairs. */
export function agreement(prediction: readonly number[], foretold: readonly number[]): Agreement | null {
  const n = foretold.length;
  if (prediction.length !== n)
    throw new Error(`agreement needs lists of equal length, got ${prediction.length} and ${n} values`);
  if (n === 0) return null;
  const unit = unitOf([...foretold, ...prediction]);
  const errors = foretold.map((value, index) => value / unit - (prediction[index] as number) / unit);
  const middle = mean(foretold.map((value) => value / unit)) as number;
  const squares = errors.reduce((sum, error) => sum + error ** 2, 0);
  const total = foretold.reduce((sum, value) => sum + (value / unit - middle) ** 2, 0);
  const shares = foretold.map((value, index) => relative(value / unit, (prediction[index] as number) / unit));
  return {
    mae: unit * (errors.reduce((sum, error) => sum + Math.abs(error), 0) / n),
    rmse: unit * Math.sqrt(squares / n),
    r2: isConstant(foretold) || total === 0 ? null : 1 - squares / total,
    smape: shares.reduce((sum, share) => sum + share, 0) / n,
    n,
  };
}

function relative(a: number, b: number): number {
  const scale = (Math.abs(a) + Math.abs(b)) / 2;
  return scale === 0 ? 0 : Math.abs(a - b) / scale;
}
