/** How a second ranking differs from a first one (EVALOOP, section 4.2: ASL compared with pass@1). */

/** A change of this many places is a large one (section 4.2). */
const largeChangePlaces = 10;

export interface RankChanges {
  readonly models: number;
  /** Models whose rank differs. */
  readonly changed: number;
  /** Models that moved by `largeChangePlaces` or more. */
  readonly large: number;
  /** Mean absolute change of rank; null without models. */
  readonly meanAbsolute: number | null;
  /**
   * Unordered pairs of models, and those with the opposite order; a pair tied in either ranking is not reversed.
   */
  readonly pairs: number;
  readonly reversed: number;
  /**
   * Ranks gained by the model that rises most, and by the one that falls most (negative); null without models.
   */
  readonly highestRise: number | null;
  readonly deepestFall: number | null;
}

/** `before` and `after` are ranks (1 is best, mid-ranks for ties) of the same models in the same order. */
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

/** Ranks that each model gains: 3 for one that rises from rank 5 to rank 2. */
function risesOf(before: readonly number[], after: readonly number[]): number[] {
  if (before.length !== after.length)
    throw new Error(`both rankings need the same models, got ${before.length} and ${after.length}`);
  return before.map((place, model) => place - (after[model] as number));
}

function reversedPairs(before: readonly number[], after: readonly number[]): number {
  let reversed = 0;
  for (let a = 0; a < before.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      if (((before[a] as number) - (before[b] as number)) * ((after[a] as number) - (after[b] as number)) < 0)
        reversed += 1;
    }
  }
  return reversed;
}
