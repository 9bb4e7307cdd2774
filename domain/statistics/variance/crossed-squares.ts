/** Mean squares of a full table of tasks x models x wordings (analysis of variance, one value per cell). */

import { greatest, rounding } from '../rounding.ts';

/** Number of tasks, models and wordings. */
export type CrossedSizes = readonly [tasks: number, models: number, wordings: number];

/** A set of the three factors as bits: 1 tasks, 2 models, 4 wordings. */
export type Factors = number;

/** The factors with more than one level. */
export const presentFactors = (sizes: CrossedSizes): Factors =>
  sizes.reduce((present, size, factor) => present | (size > 1 ? 1 << factor : 0), 0);

export const isWithin = (some: Factors, all: Factors): boolean => (some & all) === some;

/** How many combinations of levels these factors have. */
export const levelsOf = (factors: Factors, sizes: CrossedSizes): number =>
  sizes.reduce((product, size, factor) => product * (factors & (1 << factor) ? size : 1), 1);

export const factorCount = (factors: Factors): number => [1, 2, 4].filter((bit) => factors & bit).length;

/**
 * The mean square of each main effect and interaction of the factors with several levels. Example: with two tasks and
 * two models whose cells are 0, 1 and 1, 1, the means are 1/2 and 1 for tasks and for models, so both mean squares are
 * 1/4, as is the interaction's. Squares from rounding are 0.
 * @param cells one row per task: models outermost, then wordings
 */
export function meanSquares(cells: readonly (readonly number[])[], sizes: CrossedSizes): Map<Factors, number> {
  const present = presentFactors(sizes);
  const subsets = [0, 1, 2, 3, 4, 5, 6, 7].filter((factors) => isWithin(factors, present));
  const means = new Map(subsets.map((factors) => [factors, marginalMeans(cells, sizes, factors)]));
  const squares = subsets
    .filter((factors) => factors !== 0)
    .map((factors) => [factors, squaresOf(factors, subsets, means, sizes) / freedomOf(factors, sizes)] as const);
  const least = rounding * greatest(cells.flat()) ** 2;
  return new Map(squares.map(([factors, square]) => [factors, square <= least ? 0 : square]));
}

const freedomOf = (factors: Factors, sizes: CrossedSizes): number =>
  sizes.reduce((product, size, factor) => product * (factors & (1 << factor) ? size - 1 : 1), 1);

/** Place of a cell among the combinations of these factors' levels. */
const placeOf = (
  factors: Factors,
  [, models, wordings]: CrossedSizes,
  task: number,
  model: number,
  wording: number,
): number =>
  ((factors & 1 ? task : 0) * (factors & 2 ? models : 1) + (factors & 2 ? model : 0)) * (factors & 4 ? wordings : 1) +
  (factors & 4 ? wording : 0);

function marginalMeans(cells: readonly (readonly number[])[], sizes: CrossedSizes, factors: Factors): Float64Array {
  const levels = levelsOf(factors, sizes);
  const means = new Float64Array(levels);
  const [tasks, models, wordings] = sizes;
  const share = levels / (tasks * models * wordings);
  for (const [task, row] of cells.entries())
    for (let model = 0; model < models; model += 1)
      for (let wording = 0; wording < wordings; wording += 1) {
        const place = placeOf(factors, sizes, task, model, wording);
        means[place] = (means[place] as number) + share * (row[model * wordings + wording] as number);
      }
  return means;
}

/** The sum of squares of an effect: a combination's mean, without what fewer of its factors explain. */
function squaresOf(
  factors: Factors,
  subsets: readonly Factors[],
  means: ReadonlyMap<Factors, Float64Array>,
  sizes: CrossedSizes,
): number {
  const parts = subsets
    .filter((some) => isWithin(some, factors))
    .map((some) => {
      const sign = (factorCount(factors) - factorCount(some)) % 2 === 0 ? 1 : -1;
      return { some, sign, means: means.get(some) as Float64Array };
    });
  const [tasks, models, wordings] = sizes.map((size, factor) => (factors & (1 << factor) ? size : 1)) as [
    number,
    number,
    number,
  ];
  let squares = 0;
  for (let task = 0; task < tasks; task += 1)
    for (let model = 0; model < models; model += 1)
      for (let wording = 0; wording < wordings; wording += 1) {
        let effect = 0;
        for (const part of parts)
          effect += part.sign * (part.means[placeOf(part.some, sizes, task, model, wording)] as number);
        squares += effect * effect;
      }
  return (squares * levelsOf(7, sizes)) / levelsOf(factors, sizes);
}
