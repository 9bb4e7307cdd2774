/** Ordinary least squares by orthogonalised columns. */

export interface LeastSquares {
  /** One per column, in order; 0 for a linear combination of earlier columns. */
  readonly coefficients: readonly number[];
  readonly residuals: readonly number[];
  readonly residualSquares: number;
  /** Columns that are linearly independent of the earlier ones. */
  readonly rank: number;
  /** (X'X)^-1 over the independent columns; rows and columns of the others are 0. */
  readonly inverse: readonly (readonly number[])[];
}

/** A column counts as independent if its residual is more than this share of it. */
const independent = 1e-10;

/**
 * @param columns the design, a list per column (including the constant), each as long as `y`
 */
export function leastSquares(columns: readonly (readonly number[])[], y: readonly number[]): LeastSquares {
  const units: (Float64Array | null)[] = [];
  const upper = columns.map((column) => {
    const left = Float64Array.from(column);
    const length = Math.sqrt(dot(left, left));
    const shares = new Array<number>(columns.length).fill(0);
    // Twice, to remove what rounding left of earlier columns.
    for (let pass = 0; pass < 2; pass += 1)
      for (const [index, unit] of units.entries()) shares[index] = (shares[index] as number) + takeOff(left, unit);
    const rest = Math.sqrt(dot(left, left));
    const counts = rest > independent * length;
    shares[units.length] = counts ? rest : 0;
    units.push(counts ? left.map((value) => value / rest) : null);
    return shares;
  });
  const residuals = Float64Array.from(y);
  const onUnits = units.map((unit) => takeOff(residuals, unit));
  for (const [index, unit] of units.entries()) onUnits[index] = (onUnits[index] as number) + takeOff(residuals, unit);
  const kept = units.flatMap((unit, index) => (unit === null ? [] : [index]));
  const inverseUpper = invertedUpper(upper, kept);
  return {
    coefficients: inverseUpper.map((row) => dot(row, onUnits)),
    residuals: [...residuals],
    residualSquares: dot(residuals, residuals),
    rank: kept.length,
    inverse: inverseUpper.map((first) => inverseUpper.map((second) => dot(first, second))),
  };
}

/** Removes the component along the unit vector from the values, and returns its length. */
function takeOff(values: Float64Array, unit: Float64Array | null): number {
  if (unit === null) return 0;
  const share = dot(values, unit);
  for (let index = 0; index < values.length; index += 1)
    values[index] = (values[index] as number) - share * (unit[index] as number);
  return share;
}

/** R^-1, where `upper[j][i]` is R at row i and column j; over the kept columns. */
function invertedUpper(upper: readonly (readonly number[])[], kept: readonly number[]): number[][] {
  const inverse = upper.map(() => new Array<number>(upper.length).fill(0));
  for (const column of kept)
    for (const row of kept.filter((index) => index <= column).toReversed()) {
      const sum = kept
        .filter((index) => index > row && index <= column)
        .reduce((total, index) => total + (upper[index]?.[row] as number) * (inverse[index]?.[column] as number), 0);
      (inverse[row] as number[])[column] = ((row === column ? 1 : 0) - sum) / (upper[row]?.[row] as number);
    }
  return inverse;
}

/** Sum of the products, place by place. */
export function dot(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < x.length; index += 1) sum += (x[index] as number) * (y[index] as number);
  return sum;
}
