/** How certain a ranking is: models are ranked again in resamples of the tasks they were scored on. */
import { type BootstrapOptions, percentileInterval, resampledValues } from './bootstrap.ts';
import type { Interval } from './interval.ts';
import { placesOf } from '../ranks/ranks.ts';

export interface RankBootstrap {
  /** Per model, in the order of the scores; null if no resample could be scored. */
  readonly places: readonly (Interval | null)[];
  /** `ahead[a][b]`: share of resamples in which a is above b, ties count half; null if no resample could be scored. */
  readonly ahead: readonly (readonly (number | null)[])[];
  /** Resamples that could be scored; all results are over these. */
  readonly defined: number;
}

/**
 * Draws whole clusters (tasks) with replacement, scores all `models` on the same draw, and ranks them. All models are
 * compared on the same tasks, so the tasks' difficulty does not blur their order. `ahead` tells whether the order of a
 * pair is real or due to the choice of tasks.
 * @param scoresOf one score per model, more is better; null if one is undefined in the draw. It must not keep the array
 *   it is given.
 */
export function bootstrapRanks<Cluster>(
  clusters: readonly Cluster[],
  models: number,
  scoresOf: (drawn: readonly Cluster[]) => readonly number[] | null,
  options: BootstrapOptions,
): RankBootstrap {
  const scores = resampledValues(clusters, scoresOf, options);
  const places = scores.map(placesOf);
  const all = Array.from({ length: models }, (_, model) => model);
  return {
    places: all.map((model) =>
      percentileInterval(
        places.map((row) => row[model] as number),
        options.level,
      ),
    ),
    ahead: all.map((a) => all.map((b) => shareAhead(places, a, b))),
    defined: scores.length,
  };
}

function shareAhead(places: readonly (readonly number[])[], a: number, b: number): number | null {
  if (places.length === 0) return null;
  const won = places.reduce((sum, row) => sum + (1 + Math.sign((row[b] as number) - (row[a] as number))) / 2, 0);
  return won / places.length;
}
