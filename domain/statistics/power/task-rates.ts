import { betaQuantile } from '../beta.ts';

/** Enough for third and fourth moments, which only matter in corrections. */
const places = 48;

/** Beyond these shares a beta distribution is one point, or two. */
const [onePoint, twoPoints] = [1e-4, 0.995];

/**
 * A model's rates on tasks of increasing ease, all equally frequent: quantiles of the beta distribution with this mean,
 * and `decided` x mean x (1 - mean) as its variance. With `decided` 1, every task is always passed or always failed.
 */
export function taskRates(mean: number, decided: number): number[] {
  const at = Array.from({ length: places }, (_, place) => (place + 0.5) / places);
  if (mean <= 0 || mean >= 1 || decided < onePoint) return at.map(() => Math.min(1, Math.max(0, mean)));
  if (decided > twoPoints) return at.map((place) => (place < 1 - mean ? 0 : 1));
  const sum = 1 / decided - 1;
  return at.map((place) => betaQuantile(place, mean * sum, (1 - mean) * sum));
}
