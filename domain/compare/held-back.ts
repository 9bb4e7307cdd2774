/**
 * A pair with answers that could not be judged differs only if it does with these at their worst for the model ahead.
 */
import { type Extremes, openSides } from '../metrics/sides/extremes.ts';
import { difference } from '../statistics/rounding.ts';
import { mean } from '../statistics/spread.ts';
import type { PairChanges } from './pair-changes.ts';

/** First minus second by task, as small and as large as they may be; null if all answers of both were judged. */
export interface ChangeExtremes {
  readonly least: readonly number[];
  readonly most: readonly number[];
}

/** @returns the extremes of any pair of models */
export function changeExtremes(extremes: Extremes | null): (pair: PairChanges) => ChangeExtremes | null {
  if (extremes === null) return () => null;
  const { least, most } = extremes;
  const isOpen = openSides(extremes);
  const changes = (first: readonly number[] = [], second: readonly number[] = []): number[] =>
    first.map((value, task) => difference(value, second[task] as number));
  return ({ first, second }) =>
    isOpen[first] || isOpen[second]
      ? { least: changes(least[first], most[second]), most: changes(most[first], least[second]) }
      : null;
}

/**
 * The larger of p and that of the changes at their worst for the model ahead; 1 if it would be behind.
 * @param p of the judged answers alone @param test of other changes of the pair
 */
export function heldP(
  pair: PairChanges,
  p: number,
  extremes: ChangeExtremes | null,
  test: (pair: PairChanges) => number,
): number {
  if (extremes === null) return p;
  const ahead = Math.sign(mean(pair.changes) as number);
  const changes = ahead > 0 ? extremes.least : extremes.most;
  if (Math.sign(mean(changes) as number) !== ahead) return 1;
  return Math.max(p, test({ ...pair, changes }));
}
