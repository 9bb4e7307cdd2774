/** RobuNFR: code with non-functional requirements in many phrasings, from model versions and in several workflows. */
import { z } from 'zod';
import { efforts, extraction, maxReferenceMs, maxTokens, studyName, temperature, topP } from './fields.ts';
import { isOwnName, ownNameRule } from './inherited.ts';

const dimensionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens, starting with a letter')
  .refine(isOwnName, ownNameRule)
  .refine((dimension) => dimension !== 'function-only', 'function-only is the baseline; choose another name')
  .describe(
    'A dimension’s name, in every table and in the names of variants: lower-case letters, digits and hyphens, ' +
      'starting with a letter; not function-only, which is the baseline.',
  );
const phrasings = z.array(z.string().min(1)).min(1).max(99);
const robunfrSettings = z.strictObject({
  dimensions: z
    .array(
      z.union([
        dimensionName,
        z.strictObject({
          name: dimensionName,
          phrasings: phrasings.describe('Ways to state the same requirement, each an imperative without a full stop.'),
        }),
        z.strictObject({
          name: dimensionName,
          add: phrasings.describe('Phrasings to add to the ten of a published dimension.'),
        }),
      ]),
    )
    .min(1)
    .default(['design', 'readability', 'reliability', 'performance'])
    .describe('Published dimensions by name, with ten phrasings each, or your own dimensions and phrasings.'),
  prompts: z
    .union([
      z.enum(['derivative', 'figure4']),
      z.strictObject({
        'function-only': z.string().describe('Must contain {problem}.'),
        'nfr-integrated': z.string().describe('Must contain {problem} and {phrasing}.'),
        'nfr-enhanced': z.string().describe('Must contain {code} and {phrasing}; may contain {problem}.'),
      }),
    ])
    .default('derivative')
    .describe('Prompts of each workflow: derivative, figure4 (the paper’s simpler form), or your own texts.'),
  exceptionStatements: z
    .union([z.literal('ast'), z.array(z.string().min(1)).min(1)])
    .default('ast')
    .describe(
      'What counts as exception handling: ast (except handlers and raise statements), or regular expressions, all ' +
        'of whose matches in the code count.',
    ),
  timedSuite: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Suite that programs are timed on. Default: the benchmark’s first. All studies on a benchmark must time ' +
        'the same suite.',
    ),
  temperature: temperature.default(0),
  topP: topP.default(1),
  maxTokens: maxTokens.default(2048),
  efforts,
});
const margin = z.number().min(0).default(0);
const robunfrRegressionSettings = robunfrSettings.extend({
  pairs: z
    .array(z.tuple([z.string(), z.string()], { error: 'must be two ids of models as a list, [old, new]' }))
    .min(1)
    .describe('Versions to compare, each as [old, new]: ids of models.'),
  alpha: z
    .number()
    .gt(0)
    .lt(0.5)
    .default(0.05)
    .describe('Highest probability of any false alarm among all comparisons of a pair.'),
  margins: z
    .strictObject({
      pass_at_1: margin.describe('Percentage points.'),
      code_smell: margin.describe('Per ten lines.'),
      unreadability: margin.describe('Per ten lines.'),
      exception_handling: margin.describe('Per ten lines.'),
      wall_ms: margin.describe('Milliseconds of a typical task, whose time is the geometric mean of the old times.'),
      cpu_ms: margin.describe('Milliseconds of a typical task.'),
      wall_ms_passing: margin.describe('Milliseconds of a typical task.'),
      cpu_ms_passing: margin.describe('Milliseconds of a typical task.'),
    })
    .prefault({})
    .describe('Differences up to these do not matter. The verdict is no_change if the whole interval lies within.'),
});
const robunfrFields = {
  name: studyName,
  benchmark: z.string().describe('An entry of `benchmarks`.'),
  models: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'Ids of the models under study. Default: all except those with study: false; ' +
        'in a regression, the models of its pairs.',
    ),
  repetitions: z
    .int()
    .min(1)
    .max(99)
    .default(10)
    .describe('Function-Only answers to each task. NFR-Enhanced improves them.'),
  extraction,
  maxReferenceMs,
};
export const robunfrPrompts = z.strictObject({
  ...robunfrFields,
  kind: z
    .literal('robunfr-prompts')
    .describe(
      'Prompt variation: the phrasings of each dimension, compared with Function-Only (RobuNFR, RQ1). See ' +
        'docs/studies/robunfr.md.',
    ),
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
    .describe(
      'Workflows: one prompt for function and requirement, or improving Function-Only code, both compared with ' +
        'Function-Only (RobuNFR, RQ3). See docs/studies/robunfr.md.',
    ),
  settings: robunfrSettings.prefault({}).describe('The defaults are the paper’s.'),
});
