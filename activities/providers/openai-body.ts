/** Converts requests and replies to and from OpenAI-compatible chat completions. */
import { z } from 'zod';
import { validLogprobs } from '../../domain/logprobs.ts';
import type { ChatMessage, ChatReply, ChatRequest, SentParameters } from '../../schemas/chat.ts';
import type { TokenUsage } from '../calls/token-usage.ts';
import { sentNames } from '../../schemas/spec/parameters.ts';
import { endReason, readableOf, sideName, sideText } from '../../schemas/lenient.ts';
import { bodyOfEvents } from './openai-events.ts';

/**
 * An invalid count becomes unknown instead of an error: the answer itself is valid, and asking again would cost again.
 */
export const tokenCount = z.int().min(0).nullish().catch(null);

const logprobs = z
  .object({
    content: z.array(z.object({ logprob: z.number().nullable().catch(null) }).catch({ logprob: null })).nullish(),
  })
  .nullish()
  .catch(null);

/** A text, or a list of parts, of which only text parts count (LiteLLM, Mistral). */
const content = z.union([
  z.string(),
  z
    .array(
      z.union([
        z.object({ type: z.literal('text'), text: z.string().nullish() }),
        z.object({ type: z.unknown().refine((type) => type !== 'text') }).transform(() => ({ text: '' })),
      ]),
    )
    .transform((parts) => parts.map(({ text }) => text ?? '').join('')),
]);

const message = z.object({
  content: content.nullish(),
  refusal: sideText,
  // Thoughts apart from the answer: DeepSeek, SGLang, llama.cpp; vLLM, OpenRouter, Ollama, LM Studio.
  reasoning_content: sideText,
  reasoning: sideText,
});

/** Gemini leaves the message out of an answer that its limit or a filter left empty. */
const mayBeEmpty: ReadonlySet<unknown> = new Set(['length', 'content_filter']);
const choice = z
  .object({
    index: z.number().nullish().catch(null),
    finish_reason: endReason,
    message: message.optional(),
    logprobs,
  })
  .refine(({ finish_reason: reason, message: sent }) => sent !== undefined || mayBeEmpty.has(reason), {
    path: ['message'],
    error: 'is missing',
  })
  .transform((one) => ({ ...one, message: one.message ?? {} }));

/** In the order of their numbers, which an endpoint may list in another; as listed where one has no number. */
const inOrder = (choices: readonly z.output<typeof choice>[]) =>
  choices.every(({ index }) => index != null)
    ? choices.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0))
    : [...choices];

const usage = z
  .object({
    prompt_tokens: tokenCount,
    completion_tokens: tokenCount,
    total_tokens: tokenCount,
    prompt_tokens_details: z
      .object({ cached_tokens: tokenCount, cache_write_tokens: tokenCount, audio_tokens: tokenCount })
      .nullish()
      .catch(null),
    completion_tokens_details: z
      .object({ reasoning_tokens: tokenCount, audio_tokens: tokenCount })
      .nullish()
      .catch(null),
    // SGLang.
    reasoning_tokens: tokenCount,
    // Anthropic and Moonshot, DeepSeek, LiteLLM.
    cached_tokens: tokenCount,
    prompt_cache_hit_tokens: tokenCount,
    cache_read_input_tokens: tokenCount,
    cache_creation_input_tokens: tokenCount,
  })
  .nullish()
  .catch(null);

/** The required fields of a reply. Endpoints differ in everything else, so unknown fields are ignored. */
export const chatCompletionSchema = z.object({
  id: sideText,
  model: sideName,
  system_fingerprint: sideName,
  // OpenRouter: who served the answer.
  provider: sideName,
  choices: readableOf(choice)
    .refine((choices) => choices.length > 0, 'expected at least one choice, got none')
    .transform(inOrder),
  usage,
});

export type ChatCompletionBody = z.infer<typeof chatCompletionSchema>;

/** Python's encoder writes numbers that JSON lacks; they become null. */
const invalidNumber = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g;

/** Parses the body of an answer. Throws SyntaxError if it is not complete JSON. */
export function parsedBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const events = bodyOfEvents(text);
    if (events !== null) return events;
    if (/^data:/m.test(text)) throw new SyntaxError('a stream of events that ended early');
    const repaired = text.replaceAll(invalidNumber, (found) => (found.startsWith('"') ? found : 'null'));
    if (repaired === text) throw error;
    return JSON.parse(repaired);
  }
}

const failed = z.object({
  error: z.object({ message: z.string(), code: z.unknown().optional() }),
  choices: z.array(z.unknown()).max(0).nullish(),
  // A response that failed has one, and says what its failure means.
  output: z.undefined().optional(),
});
const failureStatus = z.coerce.number().int().min(400).max(599).nullable().catch(null);

export interface FailureInBody {
  readonly status: number | null;
  readonly message: string;
}

/**
 * The failure in a body with a success status, as gateways (OpenRouter) send it when their upstream fails;
 * null for any other body.
 */
export function failureIn(body: unknown): FailureInBody | null {
  if (typeof body !== 'object' || body === null || !('error' in body)) return null;
  if (typeof body.error === 'string' && !('choices' in body)) return { status: null, message: body.error };
  const { data } = failed.safeParse(body);
  return data === undefined ? null : { status: failureStatus.parse(data.error.code), message: data.error.message };
}

const refusal = z.object({
  error: z.object({
    message: z.string().catch(''),
    code: z.string().nullable().catch(null),
    param: z.string().nullable().catch(null),
  }),
});

/** What the body of an error says; without a message the beginning of the body is one. */
export function refusalIn(text: string): {
  readonly message: string;
  readonly code: string | null;
  readonly param: string | null;
} {
  try {
    const { data } = refusal.safeParse(JSON.parse(text));
    if (data !== undefined) return data.error;
  } catch {
    // No JSON: the text itself says what is wrong.
  }
  return { message: text.slice(0, 200), code: null, param: null };
}

/** A request's body: a key for each parameter that is sent, then what `extraBody` adds. */
type RequestBody = { model: string; messages: ChatMessage[]; n?: number } & {
  [Name in keyof typeof sentNames as (typeof sentNames)[Name]]?: NonNullable<SentParameters[Name]>;
};

/** The body to send; it leaves out the parameters that the request leaves out. */
export function requestBody({ model, messages, parameters: { extraBody, ...known }, n }: ChatRequest): RequestBody {
  const sent = Object.entries(known).map(([name, value]) => [sentNames[name as keyof typeof sentNames], value]);
  return {
    ...extraBody,
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...Object.fromEntries(sent),
    ...(n !== undefined && { n }),
  };
}

type Choice = ChatCompletionBody['choices'][number];

/** At most `n` replies, without choices that the endpoint broke off. @param requestId empty if it sent none */
export const repliesOf = (body: ChatCompletionBody, n: number, requestId: string): ChatReply[] =>
  body.choices
    .slice(0, n)
    .filter((choice) => brokenOffReason(choice) === null)
    .map((choice, index) => ({
      ...replyOf(body, choice),
      ...requestIdOf(requestId),
      ...(index > 0 && noTokens),
    }));

/** An id that no endpoint would give is not kept. */
export const requestIdOf = (id: string): Pick<ChatReply, 'requestId'> =>
  /^[!-~]{1,200}$/.test(id) ? { requestId: id } : {};

/** Token counts of all replies but the first, which has the counts of the whole request. */
export const noTokens = { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null };

/** Converts one choice to a reply. A refusal's text is used if there is no other text. */
function replyOf(body: ChatCompletionBody, choice: Choice): ChatReply {
  const { content: text, refusal } = choice.message;
  const reasoning = choice.message.reasoning || choice.message.reasoning_content;
  const given = choice.logprobs?.content ?? [];
  return {
    text: text || refusal || '',
    ...(reasoning && { reasoning }),
    finishReason: refusal ? 'refusal' : finishReasonOf(choice.finish_reason ?? null),
    returnedModel: body.model ?? null,
    // Anthropic sends an empty one.
    fingerprint: body.system_fingerprint || null,
    ...(body.provider && { backend: body.provider }),
    ...usageOf(body.usage ?? null),
    ...validLogprobs(given.map((token) => token.logprob)),
  };
}

type Usage = NonNullable<ChatCompletionBody['usage']>;

/** The usage in a body that may have no answer; null without one. */
export const chatUsage = (body: unknown): TokenUsage | null =>
  usageGiven(z.object({ usage }).safeParse(body).data?.usage, usageOf);

/** Null unless both totals are counts: a part of a usage charges for nothing. */
export function usageGiven<Given>(given: Given | null | undefined, read: (given: Given) => TokenUsage) {
  const counts = given == null ? null : read(given);
  return counts?.inputTokens == null || counts.outputTokens === null ? null : counts;
}

/** Leaves out counts that few endpoints report, if they are missing, to keep stored replies small. */
function usageOf(usage: Usage | null) {
  if (usage === null) return { inputTokens: null, cachedTokens: null, outputTokens: null, reasoningTokens: null };
  const { prompt_tokens_details: prompt, completion_tokens_details: completion } = usage;
  const hidden = hiddenTokens(usage);
  const apart = {
    cacheWriteTokens: prompt?.cache_write_tokens ?? usage.cache_creation_input_tokens ?? null,
    inputAudioTokens: prompt?.audio_tokens ?? null,
    outputAudioTokens: completion?.audio_tokens ?? null,
  };
  return {
    inputTokens: usage.prompt_tokens ?? null,
    cachedTokens:
      prompt?.cached_tokens ??
      usage.cached_tokens ??
      usage.prompt_cache_hit_tokens ??
      usage.cache_read_input_tokens ??
      null,
    outputTokens: usage.completion_tokens == null ? null : usage.completion_tokens + hidden,
    reasoningTokens: completion?.reasoning_tokens ?? usage.reasoning_tokens ?? (hidden > 0 ? hidden : null),
    ...Object.fromEntries(Object.entries(apart).filter(([, tokens]) => tokens !== null && tokens > 0)),
  };
}

/** Reasoning tokens that are only included in the total (xAI, Gemini). */
function hiddenTokens({ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }: Usage): number {
  if (prompt == null || completion == null || total == null) return 0;
  return Math.max(0, total - prompt - completion);
}

/** Finish reasons of DeepSeek, OpenRouter and vLLM by which the endpoint, not the model, ended the answer. */
const brokenOff: ReadonlySet<string> = new Set(['insufficient_system_resource', 'error', 'abort']);

/** The endpoint's reason for breaking off; null if the model ended the answer. */
export function brokenOffReason({ finish_reason: reason }: Choice): string | null {
  return reason != null && brokenOff.has(reason) ? reason : null;
}

/** The reply to store if the endpoint refuses the prompt, or the answer is too long to accept. */
export const replyWithout = (finishReason: ChatReply['finishReason'], tokens: 0 | null): ChatReply => ({
  text: '',
  finishReason,
  returnedModel: null,
  fingerprint: null,
  ...noTokens,
  ...(tokens === 0 && { inputTokens: 0, outputTokens: 0 }),
  logprobs: null,
});

const knownReasons: ReadonlySet<string> = new Set(['stop', 'length', 'content_filter', 'refusal']);
const ownReasons: ReadonlySet<string> = new Set(['prompt_too_long', 'reply_too_long']);

const finishReasonOf = (reason: string | null): ChatReply['finishReason'] =>
  reason !== null && knownReasons.has(reason) ? (reason as ChatReply['finishReason']) : 'other';

/** Finish reason of a recorded reply, including evenkeel's own reasons for missing answers. */
export const recordedReasonOf = (reason: string): ChatReply['finishReason'] =>
  ownReasons.has(reason) ? (reason as ChatReply['finishReason']) : finishReasonOf(reason);
