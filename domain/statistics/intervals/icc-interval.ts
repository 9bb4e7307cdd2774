/**
 * Intervals of intraclass correlations: consistency by Fisher's F (Shrout and Fleiss 1979),
 * agreement by generalized pivots.
 */
import { betaQuantile } from '../beta.ts';
import { defaultLevel, type Interval, tailOf } from './interval.ts';
import { quantile } from '../quantile.ts';
import { meanSquares, type ScoreTable } from '../ranks/rank-agreement.ts';
import { chiSquareQuantile } from '../special.ts';

/** Name of the method in tables and reports. */
export const iccMethod = 'Shrout and Fleiss, agreement by generalized pivots';

export interface IccIntervals {
  readonly agreement: Interval;
  readonly consistency: Interval;
}

/** Null for fewer than three models or two settings, and without residual, since the spread is then unknown. */
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

/**
 * For a ratio of three mean squares no F is exact, and the usual approximation covers 87 % with four settings.
 * Generalized pivots instead divide each mean square by a chi-square draw over its degrees of freedom;
 * the ends are quantiles of the resulting ICCs (Weerahandi 1993; Tian and Cappelleri 2004).
 * The draws are Halton points, the same every time.
 */
function agreementInterval(
  { between, shift, residual }: Squares,
  models: number,
  settings: number,
  high: number,
): Interval {
  const draws = [models - 1, settings - 1, (models - 1) * (settings - 1)].map((degrees, place) =>
    varianceDraws(degrees, bases[place] as number),
  );
  const found = Float64Array.from({ length: points }, (_, index) => {
    const [b, s, r] = [between, shift, residual].map((square, place) => square * (draws[place]?.[index] as number)) as [
      number,
      number,
      number,
    ];
    return (b - r) / (b + (settings - 1) * r + (settings * (s - r)) / models);
  }).sort();
  return { lo: quantile(found, 1 - high), hi: quantile(found, high) };
}

/** Degrees of freedom / chi-square draws; cached, since the same few are needed repeatedly. */
function varianceDraws(degrees: number, base: number): Float64Array {
  const name = `${degrees} ${base}`;
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = Float64Array.from(
    { length: points },
    (_, index) => degrees / chiSquareQuantile(halton(index + 1, base), degrees),
  );
  kept.set(name, made);
  return made;
}

const kept = new Map<string, Float64Array>();
const points = 4_096;
const bases = [2, 3, 5] as const;

/** The digits of `index` in this base, reversed behind the point (radical inverse). */
function halton(index: number, base: number): number {
  let [value, share] = [0, 1];
  for (let rest = index; rest > 0; rest = Math.floor(rest / base)) {
    share /= base;
    value += share * (rest % base);
  }
  return value;
}

/** The x with P(F <= x) = p. */
function fisherQuantile(p: number, df1: number, df2: number): number {
  const x = betaQuantile(1 - p, df2 / 2, df1 / 2);
  return (df2 * (1 - x)) / (df1 * x);
}
