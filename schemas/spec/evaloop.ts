/** EVALOOP: generate, test and summarize in a loop until the code fails or M loops passed. */
import { z } from 'zod';
import { efforts, extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const noneTwice = 'must not list a value twice';

/** The summary prompts of EVALOOP's listing 3.2, other than its initial prompt. */
export const summaryPromptNames = ['detailed', 'case', 'structure', 'simple', 'elaboration'] as const;
/** The loop alternates between code and this form or, with prose_pseudocode, between a description and pseudocode. */
export const dualPairNames = ['summary', 'pseudocode', 'tests', 'prose_pseudocode'] as const;

const judgePanel = z.strictObject({
  models: z
    .array(z.string())
    .min(1)
    .max(10)
    .refine(unique, noneTwice)
    .describe('Ids of the judging models. Each scores every break by itself; the mean over them counts.')
    .meta({ uniqueItems: true }),
  repeats: z.int().min(1).max(20).default(1).describe('How often each of them scores the same break.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0)
    .describe('Temperature of the judges. At 0, repeats show only the noise that an endpoint has by itself.'),
});
const evaloopSettings = z.strictObject({
  maxLoops: z.int().min(1).max(100).default(10).describe('M: a task that passes M loops has survived.'),
  judge: z
    .union([z.string(), judgePanel])
    .default('none')
    .describe(
      'What scores how far the prompt had drifted when a task broke: the id of a model, several models and repeats, ' +
        'or none.',
    ),
  judgeAsks: z.int().min(1).max(10).default(3).describe('Most times the judge is asked until an answer holds a score.'),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(1024),
  efforts,
  pair: z
    .enum(dualPairNames)
    .default('summary')
    .describe(
      'What the model turns its code into and back: a summary (as in the paper), pseudocode, or tests that describe ' +
        'the code. prose_pseudocode: description and pseudocode in turn, each tested through code made from it.',
    ),
  attacks: z
    .array(z.string())
    .refine(unique, noneTwice)
    .default([])
    .describe(
      'Attacks on the first prompt, by name (case, structure, elaboration, typos, ...; see ' +
        'docs/studies/evaloop.md). Every task is looped again under each.',
    )
    .meta({ uniqueItems: true }),
  attackDraws: z.int().min(1).max(20).default(1).describe('Draws of each random attack.'),
  attackSeed: z.int().default(0).describe('Seed of the random attacks; the same for every model.'),
  summaryPrompts: z
    .array(z.enum(summaryPromptNames))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further summary prompts. Every task is looped again with each, to see whether models keep their ranks.')
    .meta({ uniqueItems: true }),
  temperatures: z
    .array(z.number().min(0).max(2))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further temperatures for code and summary. Every task is looped again at each.')
    .meta({ uniqueItems: true }),
  sampledRuns: z
    .int()
    .min(0)
    .max(100)
    .default(0)
    .describe('How often every task is looped again at sampledTemperature.'),
  sampledTemperature: z.number().min(0).max(2).default(0.7).describe('Temperature of the sampled runs.'),
  collapseThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('A task that broke at this similarity or more has collapsed; below it, its meaning had drifted.'),
});
export const evaloopStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('evaloop')
    .describe(
      'Self-consistency loops: generate, test and summarize until the code fails. See docs/studies/evaloop.md.',
    ),
  benchmark: z.string().describe('An entry of `benchmarks`; evaloop needs mbpp-plus or evenkeel.'),
  models: studyModels,
  repetitions: z.int().min(1).max(1000).default(1).describe('How often every cell is repeated.'),
  extraction,
  maxReferenceMs,
  settings: evaloopSettings.prefault({}).describe('The defaults are the paper’s.'),
});
