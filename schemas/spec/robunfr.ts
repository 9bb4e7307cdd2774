/** RobuNFR: code asked for with non-functional requirements in many phrasings, by two versions of a model, in several workflows. */
import { z } from 'zod';
import { extraction, maxReferenceMs, maxTokens, studyName, temperature, topP } from './fields.ts';

const dimensionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'a dimension’s name: lower-case letters, digits and hyphens')
  .refine((dimension) => dimension !== 'function-only', 'function-only is the baseline; choose another name')
  .describe('A dimension’s name, in every table and in the names of variants.');
const phrasings = z.array(z.string().min(1)).min(1).max(99);
const robunfrSettings = z.strictObject({
  dimensions: z
    .array(
      z.union([
        dimensionName,
        z.strictObject({
          name: dimensionName,
          phrasings: phrasings.describe('Ways to ask for the same, each an order without a full stop.'),
        }),
        z.strictObject({ name: dimensionName, add: phrasings.describe('Phrasings after the ten of a published dimension.') }),
      ]),
    )
    .min(1)
    .default(['design', 'readability', 'reliability', 'performance'])
    .describe('Published dimensions by name, with ten phrasings each, or dimensions and phrasings of your own.'),
  prompts: z
    .union([
      z.enum(['derivative', 'figure4']),
      z.strictObject({
        'function-only': z.string().describe('Holds {problem}.'),
        'nfr-integrated': z.string().describe('Holds {problem} and {phrasing}.'),
        'nfr-enhanced': z.string().describe('Holds {code} and {phrasing}; {problem} if wanted.'),
      }),
    ])
    .default('derivative')
    .describe('What each workflow asks: derivative, figure4 (the paper’s simpler form), or texts of your own.'),
  exceptionStatements: z
    .union([z.literal('ast'), z.array(z.string().min(1)).min(1)])
    .default('ast')
    .describe(
      'What counts as exception handling: ast (except handlers and raise statements), or regular expressions, matched line by line.',
    ),
  timedSuite: z
    .string()
    .min(1)
    .optional()
    .describe('Suite that programs are timed on. Default: the benchmark’s first. Studies on one benchmark time the same.'),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(2048),
});
const margin = z.number().min(0).default(0);
const robunfrRegressionSettings = robunfrSettings.extend({
  pairs: z
    .array(z.tuple([z.string(), z.string()]))
    .min(1)
    .describe('Versions to compare, each as [old, new]: ids of models.'),
  alpha: z.number().gt(0).lt(0.5).default(0.05).describe('Most chance of any false alarm among all comparisons of a pair.'),
  margins: z
    .strictObject({
      pass_at_1: margin.describe('Points.'),
      code_smell: margin.describe('Per ten lines.'),
      unreadability: margin.describe('Per ten lines.'),
      exception_handling: margin.describe('Per ten lines.'),
      wall_ms: margin.describe('Milliseconds of a typical task: one that takes the geometric mean of the old times.'),
      cpu_ms: margin.describe('Milliseconds of a typical task.'),
      wall_ms_passing: margin.describe('Milliseconds of a typical task.'),
      cpu_ms_passing: margin.describe('Milliseconds of a typical task.'),
    })
    .prefault({})
    .describe('Differences up to these do not matter: no_change is a difference surely within.'),
});
const robunfrFields = {
  name: studyName,
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Ids of the models under study. Default: all but those with study: false; of a regression, those of its pairs.'),
  repetitions: z.int().min(1).max(99).default(10).describe('Function-Only answers to each task; NFR-Enhanced improves them in turn.'),
  extraction,
  maxReferenceMs,
};
export const robunfrPrompts = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-prompts')
    .describe('Prompt variation: the phrasings of each dimension against Function-Only (RobuNFR, RQ1). See docs/studies/robunfr.md.'),
  settings: robunfrSettings.prefault({}).describe('The defaults are the paper’s.'),
});
export const robunfrRegression = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-regression')
    .describe('Two versions of a model on the same tasks and phrasings (RobuNFR, RQ2). See docs/studies/robunfr.md.'),
  settings: robunfrRegressionSettings.describe('The defaults are the paper’s.'),
});
export const robunfrWorkflows = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-workflows')
    .describe('One prompt for all, or improving plain code, against Function-Only (RobuNFR, RQ3). See docs/studies/robunfr.md.'),
  settings: robunfrSettings.prefault({}).describe('The defaults are the paper’s.'),
});
