/** Disk space of samples, in bytes: ledger, Parquet parts and report together. */
import type { Range } from '../../studies/forecast.ts';
import { rangeOf } from './ranges.ts';

/**
 * Measured on runs with simulated models, as the growth of the folder from a small to a larger run (21 November 2026):
 * EVALOOP, 896 to 3,674 samples of 94 answered tokens, 1,302 bytes each; PromptSE, 432 to 1,728 samples of 135 tokens,
 * 1,548 bytes each, and 2,335 with log-probabilities.
 */
export const bytesPerSample = 740;
export const bytesPerAnsweredToken = 6;
export const bytesPerLogprob = 6;

/**
 * Of the Temporal database of a runs folder: a schema of 1 MB and a log that is reused from 4 MB on. Measured on 19
 * folders (27 November 2026): 4.7 to 6.4 MiB in 18 of them, 11 MiB in the one with the most runs.
 */
export const bytesOfTemporal = 5_000_000;

export const diskBytes = (samples: Range, answeredTokens: Range, logprobs: boolean): Range =>
  rangeOf((bound) =>
    Math.round(
      samples[bound] * bytesPerSample +
        answeredTokens[bound] * (bytesPerAnsweredToken + (logprobs ? bytesPerLogprob : 0)),
    ),
  );
