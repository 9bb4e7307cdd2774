/** Plain pass@k: every task is sampled several times under each temperature, and all of it is repeated. */
import { z } from 'zod';
import { efforts, extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

/** As many as Chen et al. (2021) drew. */
export const mostPassSamples = 200;

const passSettings = z.strictObject({
  samples: z.int().min(1).max(mostPassSamples).default(10).describe('n: answers to each task, in each repetition.'),
  ks: z
    .array(z.int().min(1).max(mostPassSamples))
    .min(1)
    .optional()
    .describe('Values of k for pass@k and pass^k, each at most n. Default: those of 1, 5, 10 and 100 up to n.'),
  temperatures: z
    .array(temperature)
    .min(1)
    .default([0.8])
    .describe('Every task is sampled n times at each of these temperatures; null leaves the temperature unsent.'),
  topP: topP.default(null),
  maxTokens: maxTokens.default(1024),
  efforts,
});

export const passStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('pass')
    .describe('Plain pass@k and pass^k, flaky tasks, and agreement between repetitions. See docs/studies/pass.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: studyModels,
  repetitions: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('Independent repetitions of all samples at all temperatures.'),
  extraction,
  maxReferenceMs,
  settings: passSettings.prefault({}).describe('All have defaults.'),
});
