/** The Responses API of a simulated model: its request as that of a chat completion, and its answer. */
import { z } from 'zod';
import { reasoningEfforts } from '../../schemas/spec/parameters.ts';
import { type ChatBody, chatBodySchema } from '../chat-body.ts';
import { tokenLogprobs } from './chat-completion.ts';
import type { SimulatedAnswer, SimulatedChoice } from '../model.ts';

export const responseBodySchema = z.object({
  model: z.string(),
  input: chatBodySchema.shape.messages,
  temperature: chatBodySchema.shape.temperature,
  top_p: chatBodySchema.shape.top_p,
  max_output_tokens: chatBodySchema.shape.max_tokens,
  include: z.array(z.string()).nullish(),
  reasoning: z.object({ effort: z.enum(reasoningEfforts).nullish() }).nullish(),
  stream: chatBodySchema.shape.stream,
});

export type ResponseRequest = z.infer<typeof responseBodySchema>;

export const chatBodyOf = ({
  model,
  input,
  include,
  max_output_tokens: limit,
  ...body
}: ResponseRequest): ChatBody => ({
  model,
  messages: input,
  temperature: body.temperature,
  top_p: body.top_p,
  stream: body.stream,
  ...(limit != null && { max_completion_tokens: limit }),
  ...(body.reasoning?.effort != null && { reasoning_effort: body.reasoning.effort }),
  ...(include?.includes('message.output_text.logprobs') === true && { logprobs: true }),
});

/** The answer's first choice as a response. */
export function responseOf(answer: SimulatedAnswer, id: string, createdS: number) {
  const [choice] = answer.choices;
  if (choice === undefined) throw new Error('a simulated answer has a choice');
  const isCut = choice.finishReason !== 'stop';
  return {
    id: id.replace('chatcmpl', 'resp'),
    object: 'response',
    created_at: createdS,
    model: answer.model,
    status: isCut ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: isCut
      ? { reason: choice.finishReason === 'length' ? 'max_output_tokens' : choice.finishReason }
      : null,
    output: [...thoughtsOf(choice), messageOf(choice)],
    usage: {
      input_tokens: answer.inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: answer.outputTokens,
      output_tokens_details: { reasoning_tokens: answer.reasoningTokens },
      total_tokens: answer.inputTokens + answer.outputTokens,
    },
  };
}

export type SimulatedResponse = ReturnType<typeof responseOf>;

const thoughtsOf = ({ reasoning }: SimulatedChoice) =>
  reasoning === null ? [] : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] }];

const messageOf = ({ text, refusal, logprobs }: SimulatedChoice) => ({
  type: 'message',
  role: 'assistant',
  content:
    refusal === null
      ? [
          {
            ...{ type: 'output_text', text, annotations: [] },
            ...(logprobs !== null && { logprobs: tokenLogprobs(text, logprobs) }),
          },
        ]
      : [{ type: 'refusal', refusal }],
});
