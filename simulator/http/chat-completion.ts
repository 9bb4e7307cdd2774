/** A simulated answer in the shape of an OpenAI-compatible endpoint's reply. */
import { tokensOf } from '../chat-body.ts';
import type { SimulatedAnswer, SimulatedChoice } from '../model.ts';

export const chatCompletion = (answer: SimulatedAnswer, id: string, createdS: number) => ({
  id,
  object: 'chat.completion',
  created: createdS,
  model: answer.model,
  system_fingerprint: answer.fingerprint,
  choices: answer.choices.map(choiceOf),
  usage: {
    prompt_tokens: answer.inputTokens,
    completion_tokens: answer.outputTokens,
    total_tokens: answer.inputTokens + answer.outputTokens,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: answer.reasoningTokens },
  },
});

const choiceOf = (choice: SimulatedChoice, index: number) => ({
  index,
  message: {
    role: 'assistant',
    content: choice.refusal === null ? choice.text : null,
    refusal: choice.refusal,
    ...(choice.reasoning !== null && { reasoning_content: choice.reasoning }),
  },
  finish_reason: choice.finishReason,
  logprobs: choice.logprobs === null ? null : { content: tokenLogprobs(choice.text, choice.logprobs), refusal: null },
});

/** The tokens of a text with their log-probabilities. */
export const tokenLogprobs = (text: string, logprobs: readonly number[]) =>
  tokensOf(text).map((token, index) => ({ token, logprob: logprobs[index] ?? 0, bytes: null, top_logprobs: [] }));

/** An error body in the shape that endpoints use. */
export const errorBody = (message: string, facts: { type: string; code?: string | null; param?: string | null }) => ({
  error: { message, type: facts.type, param: facts.param ?? null, code: facts.code ?? null },
});
