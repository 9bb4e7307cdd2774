/** PromptSE: how far correctness moves when prompts are reworded by emotion, personality and distance. */
import { z } from 'zod';
import { efforts, extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const promptseSettings = z.strictObject({
  rewriter: z
    .string()
    .default('rules')
    .describe('Id of the model that writes the variants, or rules, which needs no model.'),
  variantSet: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file of variants to use unchanged, JSON lines, plain or gzip, relative to the spec; ' +
        'no rewriter is asked then.',
    ),
  rewriterTemperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0.7)
    .describe('Sampling temperature of the rewriter; null leaves it unsent.'),
  seed: z
    .int()
    .default(0)
    .describe('Seed of the variants and of the samples; runs with the same seed share a variant set.'),
  variants: z.int().min(1).max(99).default(30).describe('Variants of each prompt at each distance: 0.1, 0.2 and 0.3.'),
  draws: z
    .enum(['balanced', 'random'])
    .default('balanced')
    .describe('balanced: each emotion about equally often for each prompt; random: drawn freely, as in the paper.'),
  maxDraws: z
    .int()
    .min(1)
    .max(50)
    .default(12)
    .describe('Most draws of one variant until one follows the rules; after that the variant is missing.'),
  contexts: z
    .boolean()
    .default(false)
    .describe('True: each variant also gets one of three working conditions: complexity, collaboration or learning.'),
  renameParameters: z
    .boolean()
    .default(false)
    .describe(
      'True: variants may rename parameters without a default (the looser rule of the paper’s section 2.1.3). ' +
        'False: signatures stay verbatim (section 3.2).',
    ),
  samples: z.int().min(1).max(128).default(16).describe('m: answers to each prompt.'),
  lightSamples: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('PromptSELight uses the first this many answers to each prompt; 1 is its cheap form. Default: all.'),
  logprobs: z.boolean().default(true).describe('False: request no log-probabilities; only PromptSELight is computed.'),
  temperature: temperature.default(0.2),
  topP: topP.default(null),
  maxTokens: maxTokens.default(1024),
  efforts,
  confidenceBins: z.int().min(1).max(100).default(10).describe('Equal-width bins of the expected calibration error.'),
  highConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.9)
    .describe('A failure with at least this confidence is a sure failure.'),
  lowConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('A success with at most this confidence is an unsure success.'),
  deltaUnit: z
    .enum(['task', 'distance', 'emotion'])
    .default('task')
    .describe(
      'Unit of |delta pass| in the tests between sizes and families. One value per model and: task and distance ' +
        '(task), distance, or emotion and distance (emotion).',
    ),
});
export const promptseStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('promptse')
    .describe(
      'Prompt stability under emotion and personality (PromptSE, PromptSELight). See docs/studies/promptse.md.',
    ),
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: studyModels,
  repetitions: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe(
      'Independent draws of the original prompt: the first is the baseline, the others give the noise floor. 1: ' +
        'no noise floor.',
    ),
  extraction,
  maxReferenceMs,
  settings: promptseSettings.prefault({}).describe('The defaults are the paper’s.'),
});
