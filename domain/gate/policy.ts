/** The policy file of a gate: how much a new version may lose, and the confidence required to show it. */
import { z } from 'zod';
import { gateMetric, type GateMetricName, gateMetricNames } from './metrics.ts';

const confidence = z
  .number()
  .gt(0.5, 'must be above 0.5, for example 0.95')
  .lt(1, 'must be below 1, for example 0.95')
  .describe('Confidence with which a rule passes or fails, over all comparisons that it applies to. Default 0.95.');

const ruleFields = z.strictObject({
  metric: z.enum(gateMetricNames).describe('The metric to compare.'),
  suite: z.string().min(1).optional().describe('For pass_at_1: the suite; default: every suite.'),
  benchmark: z.string().min(1).optional().describe('An entry of the spec’s benchmarks; default: every benchmark.'),
  dimension: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A dimension’s name, function-only, full or light (PromptSE), a level or curve (PartialOrderEval); ' +
        'default: all.',
    ),
  workflow: z
    .enum(['function-only', 'nfr-integrated', 'nfr-enhanced'])
    .optional()
    .describe('How the code was made; default: every workflow.'),
  direction: z
    .enum(['higher', 'lower'])
    .optional()
    .describe('Which direction is good; default: the metric’s own, e.g. higher for pass_at_1.'),
  margin: z
    .number()
    .min(0)
    .optional()
    .describe('Highest allowed loss, in the metric’s unit: percentage points for pass_at_1. Default 0: none.'),
  marginPercent: z
    .number()
    .min(0)
    .optional()
    .describe('Highest allowed loss in percent of the old value; replaces margin.'),
  confidence: confidence.optional(),
});

export const gatePolicySchema = z.strictObject({
  confidence: confidence.default(0.95),
  unjudged: z
    .enum(['inconclusive', 'fail'])
    .default('inconclusive')
    .describe('What a check comes to that answers which could not be judged keep from passing, or from being decided.'),
  rules: z
    .array(
      ruleFields
        .refine(
          ({ margin, marginPercent }) => margin === undefined || marginPercent === undefined,
          'give margin or marginPercent, not both',
        )
        .refine(
          ({ metric, suite }) => suite === undefined || metric === 'pass_at_1',
          'suite is only allowed with pass_at_1',
        )
        .refine(({ metric, marginPercent }) => marginPercent === undefined || gateMetric(metric).noPercent !== true, {
          error: ({ input }) =>
            `does not work with ${(input as { metric: string }).metric}; give margin, in ` +
            `${gateMetric((input as { metric: GateMetricName }).metric).unit}`,
          path: ['marginPercent'],
        }),
    )
    .min(1, 'expected at least one rule')
    .describe('Rules; all must pass.'),
});

export type GatePolicy = z.infer<typeof gatePolicySchema>;
export type GateRule = GatePolicy['rules'][number];
