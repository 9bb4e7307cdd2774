/** Tokens of a call: what was counted, what a request can give at most, and what of a reported count is believed. */
import type { ChatMessage, ChatReply } from '../schemas/chat.ts';

/** As the endpoint reported it. Parts of a total are counted in it too; null where it does not say. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly cacheWriteTokens?: number | null;
  readonly inputAudioTokens?: number | null;
  readonly outputAudioTokens?: number | null;
}

/** The most tokens of one request, and of all its answers together. */
export interface TokenBounds {
  readonly input: number;
  readonly output: number;
}

/** What a chat template writes around a message, and around all of them (a system prompt of its own). Real ones take 3 to 10, and up to 250. */
const tokensPerMessage = 32;
const tokensPerRequest = 512;
/** What an endpoint may count for an answer beyond its limit: marks of beginning and end. */
const tokensPerAnswer = 16;
/** Tokens of an answer to a request that sets no limit, by a model whose context window is unknown. */
export const assumedCeiling = 131_072;

/** No tokenizer makes more tokens of a text than it has bytes in UTF-8. */
export const mostInputTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + tokensPerMessage, tokensPerRequest);

/** @param limit tokens that the request sets for an answer */
export const mostOutputTokens = (limit: number, answers: number): number => (limit + tokensPerAnswer) * answers;

/**
 * Endpoints count in their own way (hidden reasoning, prompts of their own), so a count up to this often the bound is believed. One beyond it
 * is a fault of the endpoint and is taken to be the bound.
 */
const believedFactor = 4;

/** The replies with counts that can be; `usageReported` of the first keeps what was reported instead. */
export function withBelievedUsage(replies: readonly ChatReply[], bounds: TokenBounds): readonly ChatReply[] {
  const [first, ...others] = replies;
  if (first === undefined) return replies;
  const bytes = replies.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const believed = believedUsage(first, { ...bounds, output: Math.max(bounds.output, bytes) });
  return believed === null ? replies : [{ ...first, ...believed, usageReported: reportedText(first) }, ...others];
}

/** Null where all of it is believed. */
function believedUsage(usage: TokenUsage, bounds: TokenBounds): TokenUsage | null {
  // No prompt is without tokens: an endpoint that says so does not count them.
  const input = usage.inputTokens === 0 ? null : believedTotal(usage.inputTokens, bounds.input);
  const output = believedTotal(usage.outputTokens, bounds.output);
  const isInput = input === usage.inputTokens;
  const isOutput = output === usage.outputTokens;
  const part = (count: number | null | undefined, total: number | null, isTotal: boolean): number | null =>
    isTotal && (count ?? 0) <= (total ?? Infinity) ? (count ?? null) : null;
  const believed = {
    inputTokens: input,
    cachedTokens: part(usage.cachedTokens, input, isInput),
    cacheWriteTokens: part(usage.cacheWriteTokens, input, isInput),
    inputAudioTokens: part(usage.inputAudioTokens, input, isInput),
    outputTokens: output,
    reasoningTokens: part(usage.reasoningTokens, output, isOutput),
    outputAudioTokens: part(usage.outputAudioTokens, output, isOutput),
  };
  const names = Object.keys(believed) as (keyof TokenUsage)[];
  return names.every((name) => believed[name] === (usage[name] ?? null)) ? null : believed;
}

const believedTotal = (count: number | null, bound: number): number | null =>
  count !== null && count > believedFactor * bound ? bound : count;

const reportedText = (usage: TokenUsage): string =>
  JSON.stringify({
    input_tokens: usage.inputTokens,
    cached_tokens: usage.cachedTokens,
    cache_write_tokens: usage.cacheWriteTokens ?? undefined,
    input_audio_tokens: usage.inputAudioTokens ?? undefined,
    output_tokens: usage.outputTokens,
    reasoning_tokens: usage.reasoningTokens,
    output_audio_tokens: usage.outputAudioTokens ?? undefined,
  });
