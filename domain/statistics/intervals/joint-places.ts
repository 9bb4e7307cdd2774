/** How certain a ranking of many models on the same tasks is: rank intervals that hold for all of them together. */
import { uniform } from '../../random.ts';
import { quantile } from '../quantile.ts';
import { normalTail } from '../special.ts';
import { type BootstrapOptions, defaultResamples } from './bootstrap.ts';
import { defaultLevel, type Interval } from './interval.ts';

/** A test of two models on all tasks. */
export interface TestedPair {
  readonly first: number;
  readonly second: number;
  /** Two-sided. */
  readonly p: number;
}

export interface JointPlaces {
  /** Ranks of each model, 1 is best. */
  readonly places: readonly Interval[];
  /** The p at which a pair counts as decided. */
  readonly pairLevel: number;
}

/**
 * Rank intervals after Mogstad, Romano, Shaikh and Wilhelm (2024), with exact tests of the pairs. A model's interval
 * excludes one top rank for each model that is significantly ahead of it, and one bottom rank for each model that it is
 * significantly ahead of. A pair is significant up to the p at which any pair of models that are all equal would be in
 * 1 - level of cases (`jointLevel`). So all intervals together contain all true ranks, and each rank that ties may
 * take, at the given level.
 * @param scores by model, then by task; more is better
 * @param pairs all pairs of models, but for those whose difference does not matter
 */
export function jointPlaces(
  scores: readonly (readonly number[])[],
  pairs: readonly TestedPair[],
  options: BootstrapOptions,
): JointPlaces {
  const models = scores.length;
  const pairLevel = jointLevel(scores, options);
  const totals = scores.map((own) => own.reduce((sum, value) => sum + value, 0));
  const [ahead, behind] = [new Uint32Array(models), new Uint32Array(models)];
  for (const { first, second, p } of pairs) {
    if (p > pairLevel) continue;
    const [better, worse] = (totals[first] as number) > (totals[second] as number) ? [first, second] : [second, first];
    behind[better] = (behind[better] as number) + 1;
    ahead[worse] = (ahead[worse] as number) + 1;
  }
  const places = scores.map((_, model) => ({
    lo: 1 + (ahead[model] as number),
    hi: models - (behind[model] as number),
  }));
  return { places, pairLevel };
}

/**
 * The p at which each pair may be tested so that all claims together hold at the level: tasks are drawn with
 * replacement, the same for all models, and the quantile of the largest distance of any pair's resampled difference
 * from its estimate, in standard errors of that pair, is a two-sided normal p. The more alike models are, the fewer
 * questions their pairs are. Never stricter than Bonferroni's level, which holds however they depend on each other, and
 * never looser than that of a single pair. Fewer tasks than `fewestResampled` tell too little of how alike models are:
 * there it is Bonferroni's (decision 62 has the simulations).
 */
export function jointLevel(
  scores: readonly (readonly number[])[],
  { seed, resamples = defaultResamples, level = defaultLevel }: BootstrapOptions,
): number {
  const models = scores.length;
  const tasks = scores[0]?.length ?? 0;
  const pairs = varyingPairs(scores);
  const bonferroni = (1 - level) / Math.max(1, (models * (models - 1)) / 2);
  if (pairs.count === 0 || tasks < fewestResampled) return bonferroni;
  const drawn = resampledMeans(scores, resamples, seed);
  const largest = new Float64Array(resamples);
  for (let draw = 0; draw < resamples; draw += 1) {
    const at = draw * models;
    let most = 0;
    for (let pair = 0; pair < pairs.count; pair += 1) {
      const apart = Math.abs(
        (drawn[at + (pairs.first[pair] as number)] as number) - (drawn[at + (pairs.second[pair] as number)] as number),
      );
      const inErrors = apart * (pairs.perError[pair] as number);
      if (inErrors > most) most = inErrors;
    }
    largest[draw] = most;
  }
  const joint = 2 * normalTail(quantile(largest.sort(), level));
  return Math.min(1 - level, Math.max(bonferroni, joint));
}

const fewestResampled = 30;

/** Pairs of models whose differences vary over tasks. */
interface Pairs {
  readonly count: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** 1 / the standard deviation of a resampled mean difference. */
  readonly perError: Float64Array;
}

function varyingPairs(scores: readonly (readonly number[])[]): Pairs {
  const models = scores.length;
  const most = (models * (models - 1)) / 2;
  const found = { first: new Uint32Array(most), second: new Uint32Array(most), perError: new Float64Array(most) };
  const rows = scores.map((row) => Float64Array.from(row));
  let count = 0;
  for (let first = 0; first < models; first += 1)
    for (let second = first + 1; second < models; second += 1) {
      const error = resampledError(rows[first] as Float64Array, rows[second] as Float64Array);
      if (error === 0) continue;
      found.first[count] = first;
      found.second[count] = second;
      found.perError[count] = 1 / error;
      count += 1;
    }
  return { count, ...found };
}

/** A deviation below this share of the mean difference is rounding. */
const leastShare = 1e-9;

/** The standard deviation of the mean difference over resamples of the tasks. */
function resampledError(a: Float64Array, b: Float64Array): number {
  const n = a.length;
  let sum = 0;
  for (let task = 0; task < n; task += 1) sum += (a[task] as number) - (b[task] as number);
  const mean = sum / n;
  let squares = 0;
  for (let task = 0; task < n; task += 1) {
    const from = (a[task] as number) - (b[task] as number) - mean;
    squares += from * from;
  }
  const error = Math.sqrt(squares) / n;
  return error <= leastShare * Math.abs(mean) ? 0 : error;
}

/** Each draw's means of all models, as distances from the observed means. */
function resampledMeans(scores: readonly (readonly number[])[], resamples: number, seed: number): Float64Array {
  const models = scores.length;
  const tasks = scores[0]?.length ?? 0;
  const centred = scores.map((row) => {
    const mean = row.reduce((sum, value) => sum + value, 0) / tasks;
    return Float64Array.from(row, (value) => (value - mean) / tasks);
  });
  const random = uniform(seed);
  const times = new Float64Array(tasks);
  const means = new Float64Array(resamples * models);
  for (let draw = 0; draw < resamples; draw += 1) {
    times.fill(0);
    for (let task = 0; task < tasks; task += 1) {
      const drawn = Math.floor(random() * tasks);
      times[drawn] = (times[drawn] as number) + 1;
    }
    for (let model = 0; model < models; model += 1) {
      const own = centred[model] as Float64Array;
      let sum = 0;
      for (let task = 0; task < tasks; task += 1) sum += (times[task] as number) * (own[task] as number);
      means[draw * models + model] = sum;
    }
  }
  return means;
}
