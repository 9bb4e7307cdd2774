/** The policy file of a gate: how much a new version may lose, and with what confidence that must be shown. */
import { z } from 'zod';
import { gateMetric, type GateMetricName, gateMetricNames } from './metrics.ts';

const confidence = z
  .number()
  .gt(0.5, 'above 0.5: a confidence, like 0.95')
  .lt(1, 'below 1: a confidence, like 0.95')
  .describe('Least confidence with which a rule passes or fails, over all that it applies to together. Default 0.95.');

const ruleFields = z.strictObject({
  metric: z.enum(gateMetricNames).describe('What is compared.'),
  suite: z.string().min(1).optional().describe('Of pass_at_1: the suite; default: every one.'),
  benchmark: z.string().min(1).optional().describe('An entry of the spec’s benchmarks; default: every one.'),
  dimension: z
    .string()
    .min(1)
    .optional()
    .describe('A dimension’s name, function-only, full or light (PromptSE), a level or curve (PartialOrderEval); default: every one.'),
  workflow: z.enum(['function-only', 'nfr-integrated', 'nfr-enhanced']).optional().describe('How the code came about; default: every one.'),
  direction: z.enum(['higher', 'lower']).optional().describe('Which way is good; default: higher for pass and exception handling.'),
  margin: z.number().min(0).optional().describe('Most loss, in the metric’s unit: points for pass_at_1. Default 0: none.'),
  marginPercent: z.number().min(0).optional().describe('Most loss, in percent of the old value, in place of margin.'),
  confidence: confidence.optional(),
});

export const gatePolicySchema = z.strictObject({
  confidence: confidence.default(0.95),
  rules: z
    .array(
      ruleFields
        .refine(({ margin, marginPercent }) => margin === undefined || marginPercent === undefined, 'margin or marginPercent, not both')
        .refine(({ metric, suite }) => suite === undefined || metric === 'pass_at_1', 'suite goes with pass_at_1 only')
        .refine(({ metric, marginPercent }) => marginPercent === undefined || gateMetric(metric).noPercent !== true, {
          error: ({ input }) =>
            `${(input as { metric: string }).metric} takes margin, in ${gateMetric((input as { metric: GateMetricName }).metric).unit}`,
          path: ['marginPercent'],
        }),
    )
    .min(1, 'at least one rule')
    .describe('All must pass.'),
});

export type GatePolicy = z.infer<typeof gatePolicySchema>;
export type GateRule = GatePolicy['rules'][number];
