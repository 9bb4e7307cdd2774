/** A model under study, or one that plays a role, and where its answers come from. */
import { z } from 'zod';

const price = z.strictObject({
  inputUsdPerMillion: z.number().min(0).describe('USD for a million prompt tokens.'),
  outputUsdPerMillion: z.number().min(0).describe('USD for a million answered tokens.'),
});
const parameters = z.strictObject({
  maxTokens: z.int().min(1).nullable().optional().describe('Most tokens of an answer, sent as max_tokens.'),
  maxCompletionTokens: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('Sent as max_completion_tokens in place of maxTokens, for models that refuse that; hidden reasoning counts too.'),
  temperature: z.number().min(0).max(2).nullable().optional().describe('Sampling temperature.'),
  topP: z.number().min(0).max(1).nullable().optional().describe('Nucleus sampling, sent as top_p.'),
  logprobs: z.null().optional().describe('null asks for no log-probabilities, for models that refuse it.'),
  seed: z.null().optional().describe('null sends no seed, for models that refuse it.'),
});

export const model = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\s](?:[^\p{Cc}]*[^\p{Cc}\s])?$/u, 'no control characters, and no space at either end')
    .describe('The model’s name in every table. Unique.'),
  provider: z.string().min(1).describe('An account of `providers`, or simulated, or replay.'),
  model: z.string().min(1).optional().describe('The name that the endpoint knows. Default: the id.'),
  profile: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'Of a simulated model: a preset (strong, drifting, weak, faulty, judge) or its traits, see docs/providers.md. Default: strong.',
    ),
  file: z.string().min(1).optional().describe('Of a replayed model: its recording, relative to the spec.'),
  family: z.string().optional().describe('Model family, a fact for grouping.'),
  sizeB: z.number().positive().optional().describe('Parameters in 1e9, a fact for grouping.'),
  training: z.string().optional().describe('Kind of training, a fact for grouping.'),
  version: z.string().optional().describe('Version label, a fact for grouping.'),
  price: price
    .optional()
    .describe(
      'Overrides the dated price list, with one price for all prompt tokens and one for all answered ones. Needed under a USD budget where the list does not know the model. See docs/providers.md.',
    ),
  parameters: parameters.optional().describe('Override the study’s decoding; null leaves a parameter unsent.'),
  samplesPerRequest: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe(
      'The most answers that one request may ask for, sent as n; default 1. For studies that draw several answers to one prompt. The prompt is then paid for once, but not every endpoint takes it. Needs parameters: { seed: null }, since draws with seeds of their own are asked for one by one. See docs/providers.md.',
    ),
  strictVersion: z.boolean().default(false).describe('True: an answer of another model version than the first one stops the model.'),
  study: z.boolean().default(true).describe('False: not under study, plays a role only (a judge).'),
});
