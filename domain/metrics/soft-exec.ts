/** SoftExec (PromptSE, section 2.2.1): correctness weighted by how likely the model finds each of its own answers. */

export interface WeighedSample {
  /** Sum of the completion's token log-probabilities, nats. */
  readonly logprobSum: number;
  readonly passed: boolean;
}

/** exp(x_j) / sum of exp(x_k), by log-sum-exp: the largest is taken off first, so that nothing overflows. Empty for none. */
export function softmax(values: readonly number[]): number[] {
  const largest = Math.max(...values);
  const powers = values.map((value) => Math.exp(value - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Sum of the softmax weights of the samples that passed, in [0, 1]. Null without samples. Example: log-probabilities ln 3 and 0, the first
 * passed: 0.75.
 */
export function softExec(samples: readonly WeighedSample[]): number | null {
  if (samples.length === 0) return null;
  const weights = softmax(samples.map(({ logprobSum }) => logprobSum));
  const correct = samples.reduce((sum, { passed }, index) => sum + (passed ? (weights[index] as number) : 0), 0);
  return Math.min(1, correct);
}
