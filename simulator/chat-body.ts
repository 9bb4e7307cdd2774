/**
 * The body of a chat completion request, as far as a simulated model reads it.
 * Unknown fields are ignored, as endpoints do.
 */
import { z } from 'zod';
import { reasoningEfforts } from '../schemas/spec/parameters.ts';

export const chatBodySchema = z.object({
  model: z.string(),
  messages: z
    .array(z.object({ role: z.enum(['system', 'developer', 'user', 'assistant']), content: z.string() }))
    .min(1),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  seed: z.int().nullish(),
  n: z.int().min(1).max(128).nullish(),
  logprobs: z.boolean().nullish(),
  reasoning_effort: z.enum(reasoningEfforts).nullish(),
  stream: z.boolean().nullish(),
});

export type ChatBody = z.infer<typeof chatBodySchema>;

const charactersPerToken = 4;

/** Tokens of a text, by the rule of thumb of four characters each. */
export const countTokens = (text: string): number => Math.ceil(text.length / charactersPerToken);

/** The text cut into its tokens; `countTokens` of them. */
export const tokensOf = (text: string): string[] =>
  Array.from({ length: countTokens(text) }, (_, index) =>
    text.slice(index * charactersPerToken, (index + 1) * charactersPerToken),
  );
