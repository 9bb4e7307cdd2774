/** Whether a model is as often right as it is sure: expected calibration error over bins of confidence (Guo et al. 2017). */

/** Samples of one bin, added up. */
export interface ConfidenceBin {
  readonly n: number;
  /** Sum of their confidences, each in [0, 1]. */
  readonly confidence: number;
  readonly passed: number;
}

/** Sum over bins of n_b / N · |passed share - mean confidence|, in [0, 1]; null without samples. */
export function calibrationError(bins: readonly ConfidenceBin[]): number | null {
  const all = bins.reduce((sum, { n }) => sum + n, 0);
  return all === 0 ? null : bins.reduce((sum, { passed, confidence }) => sum + Math.abs(passed - confidence), 0) / all;
}
