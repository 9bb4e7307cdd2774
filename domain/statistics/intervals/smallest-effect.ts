import { normalQuantile } from '../special.ts';

/** The usual power: the probability of detecting an existing effect. */
const power = 0.8;

/**
 * The smallest true difference that a two-sided test at `alpha` would have detected with probability 0.8, given the
 * estimate's standard error; in the unit of the estimate. Says how much an inconclusive result could have missed.
 * @param quantile of the estimate's standardised distribution
 */
export function smallestEffect(standardError: number, alpha: number, quantile = normalQuantile): number {
  return standardError * (quantile(1 - alpha / 2) + quantile(power));
}
