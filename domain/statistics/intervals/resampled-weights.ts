import { uniform } from '../../random.ts';
import { type BootstrapOptions, defaultResamples } from './bootstrap.ts';

/**
 * The bootstrap over clusters in another form: the estimator gets how often each cluster was drawn, so it can use sums
 * or ranks computed once. It must not keep the array it is given. Empty without clusters.
 */
export function resampledByWeight<Value>(
  clusters: number,
  estimator: (times: Float64Array) => Value | null,
  { seed, resamples = defaultResamples }: BootstrapOptions,
): Value[] {
  if (clusters === 0) return [];
  const random = uniform(seed);
  const times = new Float64Array(clusters);
  const values: Value[] = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    times.fill(0);
    for (let draw = 0; draw < clusters; draw += 1) {
      const place = Math.floor(random() * clusters);
      times[place] = (times[place] as number) + 1;
    }
    const value = estimator(times);
    if (value !== null) values.push(value);
  }
  return values;
}
