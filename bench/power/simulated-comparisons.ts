/** Simulated comparisons of two models, judged by the sign-flip test that a comparison uses. */
import { betaQuantile } from '../../domain/statistics/beta.ts';
import type { AnswerSpread } from '../../domain/statistics/power/answer-spread.ts';
import type { ComparisonSize, ComparisonTruth } from '../../domain/statistics/power/comparison-power.ts';
import { signFlipTest } from '../../domain/statistics/tests/sign-flip.ts';
import { type Random, randomOf } from '../coverage/random.ts';

/**
 * How the rates of tasks spread: `beta`, or `decided`: tasks that are always passed or always failed, and others at the
 * mean rate. Both have the same mean and variance.
 */
export type Shape = 'beta' | 'decided';

/** How often the test finds the new model better, of all simulated comparisons. */
export function foundShare(
  size: ComparisonSize,
  truth: ComparisonTruth,
  shape: Shape,
  { comparisons, seed }: { readonly comparisons: number; readonly seed: number },
): number {
  const random = randomOf(seed);
  const draw = rateDrawer(truth.spread, truth.difference, shape);
  let found = 0;
  for (let comparison = 0; comparison < comparisons; comparison += 1) {
    const differences = Array.from({ length: size.tasks }, () => {
      const [old, now] = draw(random);
      return passes(now, size, truth.spread, random) - passes(old, size, truth.spread, random);
    });
    const answers = size.repetitions * size.samples;
    const sum = differences.reduce((total, one) => total + one, 0);
    if (sum <= 0) continue;
    const { p } = signFlipTest(
      differences.map((one) => one / answers),
      { seed: comparison, draws: 999 },
    );
    if (p !== null && p <= truth.alpha) found += 1;
  }
  return found / comparisons;
}

/** Answers that pass. Those of a repetition depend on each other as `runShare` says. */
function passes(rate: number, { repetitions, samples }: ComparisonSize, spread: AnswerSpread, random: Random): number {
  let count = 0;
  for (let repetition = 0; repetition < repetitions; repetition += 1) {
    const own = spread.runShare === 0 || rate === 0 || rate === 1 ? rate : random.beta(rate, 1 / spread.runShare - 1);
    for (let sample = 0; sample < samples; sample += 1) if (random.uniform() < own) count += 1;
  }
  return count;
}

type DrawRates = (random: Random) => readonly [old: number, now: number];

const steps = 2_000;

/**
 * Rates of a task under both models. In a share of the tasks both have the same place in their distribution, in the
 * others independent ones; the share is such that the covariance is as wanted.
 */
function rateDrawer(spread: AnswerSpread, difference: number, shape: Shape): DrawRates {
  const { first, second, alike } = ratesOf(spread, difference, shape);
  const at = (rates: readonly number[], place: number): number => rates[Math.floor(place * steps)] as number;
  return (random) => {
    const place = random.uniform();
    return [at(first, place), at(second, random.uniform() < alike ? place : random.uniform())];
  };
}

/** Whether rates of this shape can be correlated as the spread wants it. */
export const isPossible = ({ spread, difference }: ComparisonTruth, shape: Shape): boolean =>
  ratesOf(spread, difference, shape).alike <= 1;

function ratesOf({ total, between, shared }: AnswerSpread, difference: number, shape: Shape) {
  const now = Math.min(1, (1 + Math.sqrt(1 - 4 * total)) / 2 + difference / 2);
  const old = now - difference;
  const decided = (between ?? total) / total;
  const [first, second] = [ratesAt(old, decided, shape), ratesAt(now, decided, shape)];
  const deviation = Math.sqrt(old * (1 - old) * now * (1 - now));
  const most = first.reduce((sum, rate, place) => sum + rate * (second[place] as number), 0) / steps - old * now;
  return { first, second, alike: shared === 0 ? 0 : ((shared / total) * deviation) / most };
}

/** The quantiles of the rates over tasks, with this mean and `decided` x mean x (1 - mean) as variance. */
function ratesAt(mean: number, decided: number, shape: Shape): number[] {
  const places = Array.from({ length: steps }, (_, step) => (step + 0.5) / steps);
  if (shape === 'decided')
    return places.map((place) => {
      if (place < decided * (1 - mean)) return 0;
      return place >= 1 - decided * mean ? 1 : mean;
    });
  const sum = 1 / decided - 1;
  return places.map((place) => betaQuantile(place, mean * sum, (1 - mean) * sum));
}
