/** PromptSE: prompts worded by emotion, personality and distance; how much the answers' correctness moves. */
import { z } from 'zod';
import { extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const promptseSettings = z.strictObject({
  rewriter: z.string().default('rules').describe('Id of the model that words the variants, or rules, which needs none.'),
  variantSet: z
    .string()
    .min(1)
    .optional()
    .describe('A file with variants to use as they are, JSON lines, plain or gzip, relative to the spec; no rewriter is asked then.'),
  rewriterTemperature: z.number().min(0).max(2).nullable().default(0.7).describe('Sampling temperature of the rewriter; null is not sent.'),
  seed: z.int().default(0).describe('Seed of the variants and of the samples; runs with equal ones share a variant set.'),
  variants: z.int().min(1).max(99).default(30).describe('Variants of each prompt at each of the distances 0.1, 0.2, 0.3.'),
  draws: z
    .enum(['balanced', 'random'])
    .default('balanced')
    .describe('Emotions nearly equally often for each prompt, or drawn freely as in the paper.'),
  maxDraws: z.int().min(1).max(50).default(12).describe('Most draws of one variant until one keeps to the rules; then it is missing.'),
  contexts: z
    .boolean()
    .default(false)
    .describe('True gives each variant also one of three conditions of work: complexity, collaboration, learning.'),
  renameParameters: z
    .boolean()
    .default(false)
    .describe(
      'True: the looser rule of the paper’s section 2.1.3, by which parameters without a default may have another name. False: signatures stay verbatim (section 3.2).',
    ),
  samples: z.int().min(1).max(128).default(16).describe('m: answers to each prompt.'),
  lightSamples: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe('Answers to each prompt that PromptSELight takes, the first ones; default: all. 1 is its cheap form.'),
  logprobs: z.boolean().default(true).describe('False asks for no log-probabilities: PromptSELight only.'),
  temperature: temperature.default(0.2),
  topP: topP.default(null),
  maxTokens: maxTokens.default(1024),
  confidenceBins: z.int().min(1).max(100).default(10).describe('Bins of equal width of the expected calibration error.'),
  highConfidence: z.number().min(0).max(1).default(0.9).describe('A failure with at least this confidence is a sure one.'),
  lowConfidence: z.number().min(0).max(1).default(0.5).describe('A success with at most this confidence is an unsure one.'),
  deltaUnit: z
    .enum(['task', 'distance', 'emotion'])
    .default('task')
    .describe(
      'What one value of |delta pass| is in the tests between sizes and families: a model’s task and distance, its distance, or its emotion and distance.',
    ),
});
export const promptseStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('promptse')
    .describe('Prompt stability under emotion and personality (PromptSE, PromptSELight). See docs/studies/promptse.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: studyModels,
  repetitions: z
    .int()
    .min(1)
    .max(1000)
    .default(3)
    .describe('Independent draws of the original prompt: the first is the baseline, the others give the noise floor; 1 leaves it out.'),
  extraction,
  maxReferenceMs,
  settings: promptseSettings.prefault({}).describe('The defaults are the paper’s.'),
});
