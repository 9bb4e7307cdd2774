/** PartialOrderEval: prompts from a bare signature to a full description, to find how much detail a model needs. */
import { z } from 'zod';
import { taxonomySchema } from '../taxonomy.ts';
import { efforts, extraction, maxReferenceMs, maxTokens, studyModels, studyName, topP } from './fields.ts';

const share = z.number().gt(0).lt(1);
const specificitySettings = z.strictObject({
  writer: z
    .string()
    .default('rules')
    .describe('Id of the model that writes the maximally detailed prompts, or rules, which needs no model.'),
  summarizer: z
    .string()
    .default('rules')
    .describe('Id of the model that shortens these prompts to each word limit, or rules.'),
  checker: z
    .string()
    .default('none')
    .describe(
      'Id of the model that must solve a task from its maximal prompt, or none: maximal prompts are then not ' +
        'checked by solving.',
    ),
  labeller: z
    .string()
    .default('none')
    .describe('Id of the model that labels every summary with themes of the taxonomy, or none.'),
  secondLabeller: z
    .string()
    .default('none')
    .describe('Id of a second model that labels every summary, to measure agreement, or none.'),
  labelPasses: z
    .int()
    .min(1)
    .max(5)
    .default(2)
    .describe('How often each labeller labels every summary, to measure its agreement with itself.'),
  labelAsks: z.int().min(1).max(10).default(3).describe('Most times a labeller is asked until an answer holds themes.'),
  taxonomy: z
    .union([z.string().min(1), taxonomySchema])
    .optional()
    .describe(
      'A taxonomy instead of the paper’s: a JSON file like data/specificity/taxonomy.json, relative to the ' +
        'spec, or the taxonomy itself.',
    ),
  variantSet: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A file of prompts to use unchanged, JSON lines, plain or gzip, relative to the spec; writer and summarizer ' +
        'are not asked then.',
    ),
  seed: z
    .int()
    .default(0)
    .describe('Seed of the paragraph draws and of the writer; runs with the same seed share a prompt set.'),
  wordLimits: z
    .array(z.int().min(1))
    .min(1)
    .default([10, 25, 50, 75, 100, 150, 200])
    .describe('Word limits of the summaries; one summary for each.'),
  ratios: z
    .array(share)
    .min(1)
    .default([0.2, 0.4, 0.6, 0.8])
    .describe('Shares of paragraphs that paragraph sampling keeps.'),
  maskRatios: z
    .array(share)
    .min(1)
    .default([0.2, 0.4, 0.6, 0.8])
    .describe('Shares of sentences that masking removes in one block.'),
  draws: z
    .int()
    .min(1)
    .max(16)
    .default(4)
    .describe('Draws of paragraphs at each ratio, and positions of the masked block at each mask ratio.'),
  maxDraws: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('Most maximal prompts written for a task until one follows the rules and is solved.'),
  summaryAsks: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe('Most times a summary is requested until it is within its limit; after that it is cut and flagged.'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe(
      'Share of tasks that the checker must solve from their maximal prompts for the benchmark to be accepted. ' +
        'The paper’s value is not known.',
    ),
  within: z
    .number()
    .min(0)
    .max(1)
    .default(0.02)
    .describe('x: a level is sufficient if its pass@1 is within x of the maximal prompt’s.'),
  writerTemperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0.7)
    .describe('Sampling temperature of the writer; null leaves it unsent.'),
  summarizerTemperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0.2)
    .describe('Sampling temperature of the summarizer; null leaves it unsent.'),
  roleTopP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .default(0.95)
    .describe('Nucleus sampling of writer and summarizer; null leaves it unsent.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .nullable()
    .default(0)
    .describe('Sampling temperature for code; null leaves it unsent.'),
  topP: topP.default(null),
  maxTokens: maxTokens.default(8192),
  efforts,
});
export const specificityStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('specificity')
    .describe(
      'How much detail a model needs: prompts from minimal to maximal (PartialOrderEval). See ' +
        'docs/studies/specificity.md.',
    ),
  benchmark: z.string().describe('An entry of `benchmarks`; every task needs a description.'),
  models: studyModels,
  repetitions: z.int().min(1).max(1000).default(1).describe('How often every prompt is asked.'),
  extraction,
  maxReferenceMs,
  settings: specificitySettings.prefault({}).describe('The defaults are the paper’s.'),
});
