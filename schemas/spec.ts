/**
 * The study spec that a user writes: YAML or JSON, checked here and nowhere else. Descriptions are what an editor shows beside a key and what
 * docs/spec.md lists; `spec.schema.json` is made from here (scripts/spec-files.ts).
 */
import { z } from 'zod';
import { openaiAccount, simulatorAccount } from './spec/account.ts';
import { benchmark } from './spec/benchmark.ts';
import { chainStudy } from './spec/chain.ts';
import { evaloopStudy } from './spec/evaloop.ts';
import { name } from './spec/fields.ts';
import { model } from './spec/model.ts';
import { promptseStudy } from './spec/promptse.ts';
import { robunfrPrompts, robunfrRegression, robunfrWorkflows } from './spec/robunfr.ts';
import { specificityStudy } from './spec/specificity.ts';

const budget = z
  .strictObject({
    usd: z
      .number()
      .positive()
      .optional()
      .describe(
        'Most USD that all calls may cost. Every model’s price must be known, and its answers need a limit (maxTokens, or a context window in the price list).',
      ),
    tokens: z.int().positive().optional().describe('Most tokens, asked and answered.'),
  })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, 'needs usd or tokens')
  .meta({ minProperties: 1 });

export const specSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors: where the JSON Schema of this file lies.'),
  name: name.describe('The spec’s name, and the run’s id when --run gives no other.'),
  seed: z.int().default(0).describe('Everything random comes from it.'),
  providers: z
    .record(name, z.discriminatedUnion('kind', [openaiAccount, simulatorAccount]))
    .default({})
    .describe('Accounts at endpoints, by name. simulated and replay need none.'),
  models: z.array(model).min(1).describe('The models under study, and those that play a role.'),
  benchmarks: z.record(name, benchmark).describe('Files with tasks, by name.'),
  studies: z
    .array(
      z.discriminatedUnion('kind', [
        evaloopStudy,
        chainStudy,
        promptseStudy,
        robunfrPrompts,
        robunfrRegression,
        robunfrWorkflows,
        specificityStudy,
      ]),
    )
    .min(1)
    .describe('What is done with models and benchmarks.'),
  reuse: z
    .array(z.string())
    .max(0, 'answers of other runs are not reused by this version; leave it out')
    .default([])
    .describe('Ids of runs whose answers may be used instead of asking again. Not in this version: must be empty.'),
  budget: budget.optional().describe('Stops new calls cleanly when it is used up; the run can be resumed with more.'),
});

export type Spec = z.infer<typeof specSchema>;
export type SpecModel = Spec['models'][number];
export type SpecAccount = Spec['providers'][string];
export type SpecStudy = Spec['studies'][number];
