/** Converts requests and replies to and from OpenAI's Responses API. */
import { z } from 'zod';
import { validLogprobs } from '../../domain/logprobs.ts';
import type { TokenUsage } from '../calls/token-usage.ts';
import type { ChatReply, ChatRequest } from '../../schemas/chat.ts';
import { readableOf, sideName, sideText as text } from '../../schemas/lenient.ts';
import { noTokens, replyWithout, requestIdOf, tokenCount, usageGiven } from './openai-body.ts';

const texts = z.array(z.object({ text })).nullish().catch(null);

const part = z.object({
  type: z.string(),
  text,
  refusal: text,
  logprobs: z
    .array(z.object({ logprob: z.number().nullable().catch(null) }))
    .nullish()
    .catch(null),
});

/** A message, thoughts, or an item of another kind, which is ignored. */
const item = z.object({
  type: z.string(),
  content: readableOf(part).nullish().catch(null),
  summary: texts,
});

const usage = z
  .object({
    input_tokens: tokenCount,
    input_tokens_details: z.object({ cached_tokens: tokenCount, cache_write_tokens: tokenCount }).nullish().catch(null),
    output_tokens: tokenCount,
    output_tokens_details: z.object({ reasoning_tokens: tokenCount }).nullish().catch(null),
  })
  .nullish()
  .catch(null);

/** The required fields of a response. Endpoints differ in everything else. */
export const responseSchema = z.object({
  id: text,
  model: sideName,
  status: text,
  error: z.object({ code: text, message: text }).nullish().catch(null),
  incomplete_details: z.object({ reason: text }).nullish().catch(null),
  output: readableOf(item),
  usage,
});

type ResponseBody = z.infer<typeof responseSchema>;

/**
 * The body to send. The API has no seed; `store: false` keeps the endpoint from storing answers, unless `extraBody`
 * asks for it. Keys of `extraBody` inside `reasoning` and `text` stand next to ours.
 */
export function responseBody({ model, messages, parameters }: ChatRequest): Readonly<Record<string, unknown>> {
  const { extraBody = {}, temperature, topP, maxTokens, maxCompletionTokens, serviceTier, logprobs } = parameters;
  const { reasoningEffort, verbosity } = parameters;
  const limit = maxCompletionTokens ?? maxTokens;
  return {
    store: false,
    ...extraBody,
    model,
    input: messages.map(({ role, content }) => ({ role, content })),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(limit !== undefined && { max_output_tokens: limit }),
    ...(serviceTier !== undefined && { service_tier: serviceTier }),
    ...(logprobs === true && { include: ['message.output_text.logprobs'] }),
    ...(reasoningEffort !== undefined && { reasoning: { ...mapOf(extraBody['reasoning']), effort: reasoningEffort } }),
    ...(verbosity !== undefined && { text: { ...mapOf(extraBody['text']), verbosity } }),
  };
}

const mapOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Why a response that has ended has no answer; null if it has one. A prompt that a filter refused is answered so. */
export function responseFailure({ status, error }: ResponseBody): { brokenOff: string; status?: number } | null {
  if (status === 'failed' && error?.code !== 'invalid_prompt')
    return {
      brokenOff: `${error?.code ?? 'failed'}: ${error?.message ?? 'without a reason'}`,
      ...(error?.code === 'rate_limit_exceeded' && { status: 429 }),
    };
  const isEnded = status == null || status === 'completed' || status === 'incomplete' || status === 'failed';
  return isEnded ? null : { brokenOff: `status ${status}` };
}

/** @param requestId empty if the endpoint sent none */
export function responseReply(body: ResponseBody, requestId: string): ChatReply {
  if (body.status === 'failed') return { ...replyWithout('content_filter', null), ...requestIdOf(requestId) };
  const parts = body.output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []));
  const said = parts.map((one) => (one.type === 'output_text' ? (one.text ?? '') : '')).join('');
  const refusal = parts.map((one) => one.refusal ?? '').join('');
  const reasoning = thoughtsOf(body);
  return {
    text: said || refusal,
    ...(reasoning !== '' && { reasoning }),
    finishReason: refusal === '' ? finishReasonOf(body) : 'refusal',
    returnedModel: body.model ?? null,
    fingerprint: null,
    ...requestIdOf(requestId),
    ...usageOf(body),
    ...validLogprobs(parts.flatMap(({ logprobs }) => logprobs ?? []).map(({ logprob }) => logprob)),
  };
}

/** Thoughts in full (open models), else their summary. */
function thoughtsOf({ output }: ResponseBody): string {
  const thoughts = output.filter(({ type }) => type === 'reasoning');
  const full = thoughts.flatMap(({ content }) => content ?? []);
  return (full.length > 0 ? full : thoughts.flatMap(({ summary }) => summary ?? []))
    .map((one) => one.text ?? '')
    .join('\n');
}

function finishReasonOf({ status, incomplete_details: details }: ResponseBody): ChatReply['finishReason'] {
  if (status === 'completed') return 'stop';
  if (status !== 'incomplete') return 'other';
  if (details?.reason === 'content_filter') return 'content_filter';
  return details?.reason === 'max_output_tokens' ? 'length' : 'other';
}

/** As `chatUsage`. */
export const responseUsage = (body: unknown): TokenUsage | null =>
  usageGiven(z.object({ usage }).safeParse(body).data, usageOf);

function usageOf({ usage }: Pick<ResponseBody, 'usage'>) {
  if (!usage) return noTokens;
  const written = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    inputTokens: usage.input_tokens ?? null,
    cachedTokens: usage.input_tokens_details?.cached_tokens ?? null,
    outputTokens: usage.output_tokens ?? null,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? null,
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
