/** SoftExec (PromptSE, section 2.2.1): correctness weighted by the model's probability of each answer. */

export interface WeighedSample {
  /** Sum of the completion's token log-probabilities, nats. */
  readonly logprobSum: number;
  readonly passed: boolean;
}

/**
 * exp(x_j - max x): the softmax before normalisation; the maximum is subtracted so that nothing overflows.
 */
function powersOf(values: readonly number[]): number[] {
  const largest = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return values.map((value) => Math.exp(value - largest));
}

/**
 * Sum of the softmax weights of the samples that passed, in [0, 1]. Null without samples. Example: log-probabilities ln
 * 3 and 0, the first passed: 0.75.
 */
export function softExec(samples: readonly WeighedSample[]): number | null {
  if (samples.length === 0) return null;
  const powers = powersOf(samples.map(({ logprobSum }) => logprobSum));
  const total = (counts: (sample: WeighedSample) => boolean): number =>
    samples.reduce((sum, sample, index) => sum + (counts(sample) ? (powers[index] as number) : 0), 0);
  // One division only, so that the result is exactly 1 if all samples passed.
  return total(({ passed }) => passed) / total(() => true);
}
