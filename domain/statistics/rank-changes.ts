/** What a second ranking changes against a first one (EVALOOP, section 4.2: ASL against pass@1). */

/** A change of this many places is a large one (section 4.2). */
const largeChangePlaces = 10;

export interface RankChanges {
  readonly models: number;
  /** Models whose place differs. */
  readonly changed: number;
  /** Models that moved by `largeChangePlaces` or more. */
  readonly large: number;
  /** Mean of the places moved, up or down; null without models. */
  readonly meanAbsolute: number | null;
  /** Unordered pairs of models, and those whose order is the opposite one; a pair that ties in either ranking is not reversed. */
  readonly pairs: number;
  readonly reversed: number;
  /** Places won by the model that rises most, and (as a negative number) lost by the one that falls most; null without models. */
  readonly highestRise: number | null;
  readonly deepestFall: number | null;
}

/** `before` and `after` are places (1 is best, mid-ranks for ties) of the same models in the same order. */
export function rankChanges(before: readonly number[], after: readonly number[]): RankChanges {
  const rises = risesOf(before, after);
  const moved = rises.map(Math.abs);
  const models = rises.length;
  return {
    models,
    changed: moved.filter((places) => places > 0).length,
    large: moved.filter((places) => places >= largeChangePlaces).length,
    meanAbsolute: models === 0 ? null : moved.reduce((sum, places) => sum + places, 0) / models,
    pairs: (models * Math.max(0, models - 1)) / 2,
    reversed: reversedPairs(before, after),
    highestRise: models === 0 ? null : rises.reduce((most, rise) => Math.max(most, rise), -Infinity),
    deepestFall: models === 0 ? null : rises.reduce((least, rise) => Math.min(least, rise), Infinity),
  };
}

/** Places that each model gains: 3 for one that goes from place 5 to place 2. */
function risesOf(before: readonly number[], after: readonly number[]): number[] {
  if (before.length !== after.length) throw new Error(`both rankings need the same models, got ${before.length} and ${after.length}`);
  return before.map((place, model) => place - (after[model] as number));
}

function reversedPairs(before: readonly number[], after: readonly number[]): number {
  let reversed = 0;
  for (let a = 0; a < before.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      if (((before[a] as number) - (before[b] as number)) * ((after[a] as number) - (after[b] as number)) < 0) reversed += 1;
    }
  }
  return reversed;
}
