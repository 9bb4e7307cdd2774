/** A square matrix, row by row. */
export interface SquareMatrix {
  readonly size: number;
  readonly cells: Float64Array;
}

export interface ShrunkCovariance extends SquareMatrix {
  /** Weight of equal variances without correlation, 0 to 1. */
  readonly shrinkage: number;
}

/**
 * Covariance of several variables, drawn towards equal variances without correlation (Ledoit and Wolf 2004), by as much
 * as chance is expected to have moved it. So it can be inverted even for more variables than observations. Divides by
 * the number of observations, as that paper does.
 * @param rows by observation, then by variable; at least one
 */
export function shrunkCovariance(rows: readonly Float64Array[]): ShrunkCovariance {
  const size = rows[0]?.length ?? 0;
  const centred = withoutMeans(rows, size);
  const cells = meanProducts(centred, size);
  const variance = trace(cells, size) / size;
  const squares = (of: (cell: number, index: number) => number): number =>
    cells.reduce((sum, c, i) => sum + of(c, i), 0);
  const away = squares((cell, index) => (cell - (index % (size + 1) === 0 ? variance : 0)) ** 2);
  const fourth = centred.reduce((sum, row) => sum + dot(row, row) ** 2, 0) / rows.length;
  const noise = (fourth - squares((cell) => cell ** 2)) / rows.length;
  const shrinkage = away === 0 ? 1 : Math.min(1, Math.max(0, noise / away));
  for (let index = 0; index < cells.length; index += 1) {
    const target = index % (size + 1) === 0 ? variance : 0;
    cells[index] = shrinkage * target + (1 - shrinkage) * (cells[index] as number);
  }
  return { size, cells, shrinkage };
}

function withoutMeans(rows: readonly Float64Array[], size: number): Float64Array[] {
  const means = new Float64Array(size);
  for (const row of rows)
    for (let at = 0; at < size; at += 1) means[at] = (means[at] as number) + (row[at] as number) / rows.length;
  return rows.map((row) => row.map((value, at) => value - (means[at] as number)));
}

function meanProducts(rows: readonly Float64Array[], size: number): Float64Array {
  const cells = new Float64Array(size * size);
  for (const row of rows)
    for (let first = 0; first < size; first += 1) {
      const scaled = (row[first] as number) / rows.length;
      if (scaled === 0) continue;
      const at = first * size;
      for (let second = 0; second < size; second += 1)
        cells[at + second] = (cells[at + second] as number) + scaled * (row[second] as number);
    }
  return cells;
}

/** The sum of the diagonal. */
export function trace(cells: Float64Array, size: number): number {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += cells[at * (size + 1)] as number;
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
