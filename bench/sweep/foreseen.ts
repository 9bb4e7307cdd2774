/** What a straight line through measurements says of a larger size. */
import { leastSquares } from '../../domain/statistics/least-squares.ts';
import { studentQuantile } from '../../domain/statistics/student.ts';

export interface Foreseen {
  readonly slope: number;
  readonly at: number;
  /** Half of the 95 % interval of one more measurement at the target; null for two points, which tell of no spread. */
  readonly error: number | null;
}

/** @param points pairs of size and value, at least two */
export function foreseen(points: readonly (readonly [number, number])[], target: number): Foreseen {
  const ones = points.map(() => 1);
  const sizes = points.map(([size]) => size);
  const { coefficients, residualSquares, inverse } = leastSquares(
    [ones, sizes],
    points.map(([, value]) => value),
  );
  const [base = 0, slope = 0] = coefficients;
  const at = base + slope * target;
  const df = points.length - 2;
  if (df === 0) return { slope, at, error: null };
  const place = [1, target];
  const leverage = place.reduce(
    (sum, left, row) =>
      sum + place.reduce((own, right, column) => own + left * right * (inverse[row]?.[column] ?? 0), 0),
    0,
  );
  return { slope, at, error: studentQuantile(0.975, df) * Math.sqrt((residualSquares / df) * (1 + leverage)) };
}
