/** A model under study or with another role, and where its answers come from. */
import { z } from 'zod';
import { apiNames, builtInNames } from './account.ts';
import { isOwnName, ownNameRule } from './inherited.ts';
import { parameters } from './parameters.ts';

const price = z.strictObject({
  inputUsdPerMillion: z.number().min(0).describe('USD per million input tokens.'),
  outputUsdPerMillion: z.number().min(0).describe('USD per million output tokens.'),
});

/** Ranges, not `\p{Cc}`: the JSON Schema is also read by languages whose patterns know no properties, as Python. */
const controls = String.raw`\u0000-\u001f\u007f-\u009f`;
const withoutControls = new RegExp(String.raw`^[^${controls}\s](?:[^${controls}]*[^${controls}\s])?$`);

export const model = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(200)
    .regex(withoutControls, 'must not contain control characters, or a space at either end')
    .refine(isOwnName, ownNameRule)
    .describe('The model’s name in every table. Unique.'),
  provider: z
    .string()
    .min(1)
    .describe(`An account of \`providers\`, or ${builtInNames.join(' or ')}.`),
  model: z.string().min(1).optional().describe('The name that the endpoint knows. Default: the id.'),
  api: z.enum(apiNames).optional().describe('chat or responses, instead of its account’s.'),
  profile: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .optional()
    .describe(
      'For a simulated model: a preset (strong, drifting, weak, faulty, judge) or its traits, see ' +
        'docs/providers.md. Default: strong.',
    ),
  file: z.string().min(1).optional().describe('For a replayed model: its recording, relative to the spec.'),
  family: z.string().optional().describe('Model family, for grouping.'),
  sizeB: z.number().positive().optional().describe('Billions of parameters, for grouping.'),
  training: z.string().optional().describe('Kind of training, for grouping.'),
  version: z.string().optional().describe('Version label, for grouping.'),
  price: price
    .optional()
    .describe(
      'Overrides the dated price list: one price for all input tokens and one for all output tokens. Required ' +
        'under a USD budget if the list does not have the model. See docs/providers.md.',
    ),
  parameters: parameters
    .optional()
    .describe(
      'Override the study’s decoding parameters; null leaves a parameter unsent. An endpoint that does not know a ' +
        'parameter may refuse it or ignore it. See docs/providers.md.',
    ),
  samplesPerRequest: z
    .int()
    .min(1)
    .max(128)
    .optional()
    .describe(
      'The most answers that one request may ask for, sent as n; default 1. For studies that draw several answers ' +
        'to one prompt: the prompt is then paid once, but not every endpoint accepts n. Needs parameters: { seed: ' +
        'null }, because draws with different seeds need separate requests. See docs/providers.md.',
    ),
  mode: z
    .enum(['calls', 'batch'])
    .optional()
    .describe(
      'batch: questions are collected and asked through OpenAI’s Batch API, at half price and with answers within a ' +
        'day. For models of an account. Default: calls, each on its own. See docs/operations/batches.md.',
    ),
  batchPriceShare: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('What a call in a batch costs, as a share of the model’s price. Default: 0.5.'),
  strictVersion: z
    .boolean()
    .default(false)
    .describe('True: stop the model if an answer comes from another model version than the first answer.'),
  study: z.boolean().default(true).describe('False: not under study; the model only has another role, such as judge.'),
});
