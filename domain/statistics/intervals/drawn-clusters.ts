/** Which clusters each resample of a bootstrap draws, for statistics of many resamples at once. */
import { uniform } from '../../random.ts';
import type { BootstrapOptions } from './bootstrap.ts';

/** Draws that are kept for the next statistic with the same seed: the same pair of emotions of another model. */
const keptDraws = 8_000_000;
const known = new Map<string, Uint16Array>();
let draws = 0;

/**
 * How often each cluster is drawn: `times[cluster * resamples + resample]`. The draws are those of `resampledByWeight`.
 */
export function drawnTimes(
  clusters: number,
  { seed, resamples }: Required<Omit<BootstrapOptions, 'level'>>,
): Uint16Array {
  const name = [clusters, seed, resamples].join();
  const found = known.get(name);
  if (found !== undefined) return found;
  const random = uniform(seed);
  const times = new Uint16Array(clusters * resamples);
  for (let resample = 0; resample < resamples; resample += 1)
    for (let draw = 0; draw < clusters; draw += 1) {
      const place = Math.floor(random() * clusters) * resamples + resample;
      times[place] = (times[place] as number) + 1;
    }
  if (draws + times.length > keptDraws) {
    known.clear();
    draws = 0;
  }
  if (times.length <= keptDraws) {
    known.set(name, times);
    draws += times.length;
  }
  return times;
}
