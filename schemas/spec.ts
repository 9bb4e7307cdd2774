/**
 * The study spec that a user writes in YAML or JSON; it is checked here and nowhere else. Editors show the descriptions
 * next to a key, and docs/spec.md lists them. scripts/spec-files.ts generates both, and spec.schema.json.
 */
import { z } from 'zod';
import { accountSchemas, builtInNames } from './spec/account.ts';
import { benchmark } from './spec/benchmark.ts';
import { chainStudy } from './spec/chain.ts';
import { evaloopStudy } from './spec/evaloop.ts';
import { name } from './spec/fields.ts';
import { model } from './spec/model.ts';
import { passStudy } from './spec/pass.ts';
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
        'Most USD that all calls may cost. Every model needs a known price and a limit on its answers (maxTokens, ' +
          'or a context window in the price list).',
      ),
    tokens: z.int().positive().optional().describe('Most tokens of all calls, input plus output.'),
  })
  .refine(({ usd, tokens }) => usd !== undefined || tokens !== undefined, 'must set usd or tokens')
  .meta({ minProperties: 1 });

export const specSchema = z.strictObject({
  $schema: z.string().optional().describe('For editors: path of the JSON Schema of this file.'),
  name: name.describe('The spec’s name, and the run’s id unless --run gives another.'),
  seed: z
    .int()
    .default(0)
    .describe(
      'Seed of what evenkeel draws: the order of tasks, resampling and samples for people; at most 2^53-1. Seeds ' +
        'that are sent to models depend on the study instead.',
    ),
  providers: z
    .record(name, z.discriminatedUnion('kind', accountSchemas))
    .default({})
    .describe(`Accounts at endpoints, by name. The built-in providers ${builtInNames.join(' and ')} need none.`),
  models: z.array(model).min(1).describe('The models under study, and those with another role, such as a judge.'),
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
        passStudy,
      ]),
    )
    .min(1)
    .describe('The experiments to run on the models and benchmarks.'),
  reuse: z
    .array(name)
    .default([])
    .describe(
      'Ids of runs in the same folder of runs. Their answers to equal calls are taken over, free of charge, instead ' +
        'of asking again.',
    ),
  budget: budget
    .optional()
    .describe(
      'When it is used up, no new call is sent; to continue, raise it and resume the run. The same spec again leaves ' +
        'alone what `evenkeel budget` has set, and a spec with another budget what it does not change: dollars and ' +
        'tokens each by themselves.',
    ),
});

export type Spec = z.infer<typeof specSchema>;
export type SpecModel = Spec['models'][number];
export type SpecAccount = Spec['providers'][string];
export type SpecStudy = Spec['studies'][number];
