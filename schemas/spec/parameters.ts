/**
 * Parameters of a model's requests, in a spec and as they are sent. Names, values and ranges are those of OpenAI's
 * chat completions and, where OpenAI has none (`topK`, `minP`, `repetitionPenalty`, `chatTemplateKwargs`), those of
 * vLLM, SGLang and OpenRouter.
 */
import { z } from 'zod';
import type { ApiName } from './account.ts';

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type ReasoningEffort = (typeof reasoningEfforts)[number];

/** OpenAI's, then those of Anthropic and Groq. */
const serviceTiers = [
  ...(['auto', 'default', 'flex', 'scale', 'priority', 'fast'] as const),
  ...(['standard_only', 'on_demand', 'performance'] as const),
] as const;

const penalty = z.number().min(-2).max(2).nullable().optional();
const jsonMap = z.record(z.string(), z.unknown());

export const parameters = z.strictObject({
  maxTokens: z.int().min(1).nullable().optional().describe('Most tokens of an answer, sent as max_tokens.'),
  maxCompletionTokens: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe(
      'Sent as max_completion_tokens instead of maxTokens, for models that refuse max_tokens; ' +
        'includes hidden reasoning.',
    ),
  temperature: z.number().min(0).max(2).nullable().optional().describe('Sampling temperature.'),
  topP: z.number().min(0).max(1).nullable().optional().describe('Nucleus sampling, sent as top_p.'),
  logprobs: z.null().optional().describe('null requests no log-probabilities, for models that refuse them.'),
  seed: z
    .int()
    .nullable()
    .optional()
    .describe(
      'One seed for all requests, instead of the study’s seed for each draw: an endpoint that obeys it gives equal ' +
        'answers to equal requests. null sends no seed, for models that refuse it.',
    ),
  reasoningEffort: z
    .enum(reasoningEfforts)
    .nullable()
    .optional()
    .describe(
      'How much a reasoning model thinks, sent as reasoning_effort. The study’s maxTokens is then not sent, because ' +
        'thoughts count in it; a maxTokens or maxCompletionTokens of the model is.',
    ),
  verbosity: z.enum(['low', 'medium', 'high']).nullable().optional().describe('Length of the answer.'),
  topK: z.int().min(-1).nullable().optional().describe('Samples from the k likeliest tokens, sent as top_k.'),
  minP: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .optional()
    .describe('Lowest probability of a token, as a share of the likeliest one’s, sent as min_p.'),
  presencePenalty: penalty.describe('Lowers repeated topics, sent as presence_penalty.'),
  frequencyPenalty: penalty.describe('Lowers frequent tokens, sent as frequency_penalty.'),
  repetitionPenalty: z
    .number()
    .positive()
    .max(2)
    .nullable()
    .optional()
    .describe('Above 1 lowers tokens that occurred, in the prompt too, sent as repetition_penalty.'),
  logitBias: z
    .record(z.string().regex(/^\d+$/, 'must be the number of a token'), z.number().min(-100).max(100))
    .nullable()
    .optional()
    .describe('Bias of single tokens by their number, sent as logit_bias.'),
  stop: z
    .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(16)])
    .nullable()
    .optional()
    .describe('Text, or a list of up to 16 texts, at which an answer ends; the text itself is not in the answer.'),
  serviceTier: z
    .enum(serviceTiers)
    .nullable()
    .optional()
    .describe('Processing tier, sent as service_tier. The price list has the prices of the default tier.'),
  chatTemplateKwargs: jsonMap
    .nullable()
    .optional()
    .describe(
      'Values for a served model’s chat template (vLLM, SGLang, llama.cpp), sent as chat_template_kwargs: ' +
        '{ enable_thinking: false }.',
    ),
  extraBody: jsonMap
    .nullable()
    .optional()
    .describe(
      'Further keys of the request’s body, any JSON, sent unchanged. Keys that evenkeel sets are refused. Part of ' +
        'the call’s identity, as every parameter.',
    ),
});

/** A model's own parameters: they override the study's decoding, and null leaves a parameter unsent. */
export type ModelParameters = z.infer<typeof parameters>;

/** The name in a chat completion's body of each parameter that is one key of it. */
export const sentNames = {
  maxTokens: 'max_tokens',
  maxCompletionTokens: 'max_completion_tokens',
  topP: 'top_p',
  temperature: 'temperature',
  seed: 'seed',
  logprobs: 'logprobs',
  reasoningEffort: 'reasoning_effort',
  verbosity: 'verbosity',
  topK: 'top_k',
  minP: 'min_p',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  repetitionPenalty: 'repetition_penalty',
  logitBias: 'logit_bias',
  stop: 'stop',
  serviceTier: 'service_tier',
  chatTemplateKwargs: 'chat_template_kwargs',
} as const satisfies Record<Exclude<keyof ModelParameters, 'extraBody'>, string>;

/** As `sentNames`, for the Responses API; it has no other parameters of these. */
export const responsesNames = {
  maxTokens: 'max_output_tokens',
  maxCompletionTokens: 'max_output_tokens',
  topP: 'top_p',
  temperature: 'temperature',
  logprobs: 'include',
  reasoningEffort: 'reasoning.effort',
  verbosity: 'text.verbosity',
  serviceTier: 'service_tier',
} as const satisfies Partial<Record<keyof typeof sentNames, string>>;

/** Keys of a body that `extraBody` must not have: they have a parameter of their own, or evenkeel sets them. */
export const ownBodyKeys: Readonly<Record<ApiName, readonly string[]>> = {
  chat: [...['model', 'messages', 'n', 'stream', 'stream_options'], ...Object.values(sentNames)],
  responses: [...['model', 'input', 'stream'], ...new Set(Object.values(responsesNames))],
};
