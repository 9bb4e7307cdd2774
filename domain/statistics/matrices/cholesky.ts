/** Cholesky's decomposition of a positive definite matrix. */
import type { SquareMatrix } from './shrunk-covariance.ts';

/** The lower triangle L with L L' = matrix + added x identity. Throws if that is not positive definite. */
export function choleskyOf({ size, cells }: SquareMatrix, added = 0): SquareMatrix {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column <= row; column += 1) {
      const [a, b] = [row * size, column * size];
      let left = (cells[a + column] as number) + (row === column ? added : 0);
      for (let at = 0; at < column; at += 1) left -= (lower[a + at] as number) * (lower[b + at] as number);
      if (row === column && !(left > 0)) throw new Error(`not positive definite: ${left} in row ${row}`);
      lower[a + column] = row === column ? Math.sqrt(left) : left / (lower[b + column] as number);
    }
  return { size, cells: lower };
}

/** L x. */
export function lowerTimes({ size, cells }: SquareMatrix, x: Float64Array): Float64Array {
  const product = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    let sum = 0;
    for (let at = 0; at <= row; at += 1) sum += (cells[row * size + at] as number) * (x[at] as number);
    product[row] = sum;
  }
  return product;
}

/** The x with L x = y. */
export function lowerSolved({ size, cells }: SquareMatrix, y: Float64Array): Float64Array {
  const x = new Float64Array(size);
  for (let row = 0; row < size; row += 1) {
    let left = y[row] as number;
    for (let at = 0; at < row; at += 1) left -= (cells[row * size + at] as number) * (x[at] as number);
    x[row] = left / (cells[row * (size + 1)] as number);
  }
  return x;
}

/** The x with L L' x = y. */
export function choleskySolved(lower: SquareMatrix, y: Float64Array): Float64Array {
  const { size, cells } = lower;
  const x = lowerSolved(lower, y);
  for (let row = size - 1; row >= 0; row -= 1) {
    const found = (x[row] as number) / (cells[row * (size + 1)] as number);
    x[row] = found;
    for (let at = 0; at < row; at += 1) x[at] = (x[at] as number) - (cells[row * size + at] as number) * found;
  }
  return x;
}

/** The logarithm of the determinant of L L'. */
export function logDeterminant({ size, cells }: SquareMatrix): number {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += Math.log(cells[at * (size + 1)] as number);
  return 2 * sum;
}
