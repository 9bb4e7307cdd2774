/** EVALOOP: generate, test, summarize, again, until the code fails or M loops passed. */
import { z } from 'zod';
import { extraction, maxReferenceMs, maxTokens, studyModels, studyName, temperature, topP } from './fields.ts';

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;
const noneTwice = 'each at most once';

/** EVALOOP's listing 3.2, beside its initial prompt. */
export const summaryPromptNames = ['detailed', 'case', 'structure', 'simple', 'elaboration'] as const;
/** What the loop goes between: code and this, or, for prose_pseudocode, a description and pseudocode. */
export const dualPairNames = ['summary', 'pseudocode', 'tests', 'prose_pseudocode'] as const;

const evaloopSettings = z.strictObject({
  maxLoops: z.int().min(1).max(100).default(10).describe('M: a task that passes M loops has survived.'),
  judge: z.string().default('none').describe('Id of the model that scores how far a prompt drifted where a task broke, or none.'),
  judgeAsks: z.int().min(1).max(10).default(3).describe('Most questions to the judge until an answer holds a score.'),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(1024),
  pair: z
    .enum(dualPairNames)
    .default('summary')
    .describe(
      'What the model makes of its code, and code of again: a summary (the paper), pseudocode, or tests that describe it; or prose_pseudocode, description and pseudocode in turn, tested through the code made of it.',
    ),
  attacks: z
    .array(z.string())
    .refine(unique, noneTwice)
    .default([])
    .describe(
      'Attacks on the first prompt, by name (case, structure, elaboration, typos, ...; see docs/studies/evaloop.md): every task goes round once more under each.',
    )
    .meta({ uniqueItems: true }),
  attackDraws: z.int().min(1).max(20).default(1).describe('Draws of each attack that is random.'),
  attackSeed: z.int().default(0).describe('Seed of the random attacks; the same for every model.'),
  summaryPrompts: z
    .array(z.enum(summaryPromptNames))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further summary prompts: every task goes round once more with each, to see whether models keep their ranks.')
    .meta({ uniqueItems: true }),
  temperatures: z
    .array(z.number().min(0).max(2))
    .refine(unique, noneTwice)
    .default([])
    .describe('Further temperatures of code and summary: every task goes round once more at each.')
    .meta({ uniqueItems: true }),
  sampledRuns: z.int().min(0).max(100).default(0).describe('Times that every task goes round once more at sampledTemperature.'),
  sampledTemperature: z.number().min(0).max(2).default(0.7).describe('Temperature of the sampled runs.'),
  collapseThreshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('A task that broke with at least this similarity collapsed; below it its meaning had drifted.'),
});
export const evaloopStudy = z.strictObject({
  name: studyName,
  kind: z
    .literal('evaloop')
    .describe('Self-consistency loops: generate, test, summarize, again, until the code fails. See docs/studies/evaloop.md.'),
  benchmark: z.string().describe('An entry of `benchmarks`; evaloop needs mbpp-plus or evenkeel.'),
  models: studyModels,
  repetitions: z.int().min(1).max(1000).default(1).describe('Times that everything is done anew.'),
  extraction,
  maxReferenceMs,
  settings: evaloopSettings.prefault({}).describe('The defaults are the paper’s.'),
});
