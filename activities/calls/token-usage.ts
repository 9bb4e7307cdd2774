/** Tokens of a call: counts as reported, upper bounds of a request, and which reported counts are plausible. */
import type { ChatMessage, ChatReply } from '../../schemas/chat.ts';

/** As the endpoint reported it. Totals include their parts; null if not reported. */
export interface TokenUsage {
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly cacheWriteTokens?: number | null;
  readonly inputAudioTokens?: number | null;
  readonly outputAudioTokens?: number | null;
}

/** Highest token counts of one request, and of all its answers together. */
export interface TokenBounds {
  readonly input: number;
  readonly output: number;
}

/** The highest counts of one request, and what its model can count at all. */
export interface RequestBounds extends TokenBounds {
  /** Tokens that fit into the model's context window, once for each answer. */
  readonly window: number;
}

/**
 * Tokens that a chat template adds per message and per request (such as a system prompt).
 * Real ones add 3 to 10, and up to 250.
 */
const tokensPerMessage = 32;
const tokensPerRequest = 512;
/** Tokens that an endpoint may count for an answer beyond its limit: begin and end markers. */
const tokensPerAnswer = 16;
/** Assumed longest answer if the request sets no limit and the model's context window is unknown. */
export const assumedCeiling = 131_072;

/** No tokenizer makes more tokens of a text than it has UTF-8 bytes. */
export const mostInputTokens = (messages: readonly ChatMessage[]): number =>
  messages.reduce((sum, { content }) => sum + Buffer.byteLength(content) + tokensPerMessage, tokensPerRequest);

/** @param limit tokens that the request sets for an answer */
export const mostOutputTokens = (limit: number, answers: number): number => (limit + tokensPerAnswer) * answers;

/**
 * Endpoints may count thoughts apart from the limit, or prompts of their own, so a count is accepted up to the model's
 * window, and up to this multiple of the bound: a budget is safer with it than with less. A higher one is an endpoint
 * error and is replaced by the bound.
 */
const plausibleFactor = 4;

/**
 * The replies with plausible counts; if any was replaced, `usageReported` of the first reply keeps the reported ones.
 */
export function withPlausibleUsage(replies: readonly ChatReply[], bounds: RequestBounds): readonly ChatReply[] {
  const [first, ...others] = replies;
  if (first === undefined || isRefusedPrompt(first)) return replies;
  const bytes = replies.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const plausible = plausibleUsage(first, { ...bounds, output: Math.max(bounds.output, bytes) });
  return plausible === null ? replies : [{ ...first, ...plausible, usageReported: reportedText(first) }, ...others];
}

/** Nothing was generated for it, so the zeros are not what an endpoint reports. */
const isRefusedPrompt = ({ finishReason, inputTokens, outputTokens }: ChatReply): boolean =>
  finishReason === 'prompt_too_long' && inputTokens === 0 && outputTokens === 0;

/** Like `withPlausibleUsage`, of an answer without a reply. */
export function plausibleUsageOf(usage: TokenUsage, bounds: RequestBounds): TokenUsage & { usageReported?: string } {
  const plausible = plausibleUsage(usage, bounds);
  return plausible === null ? usage : { ...plausible, usageReported: reportedText(usage) };
}

/** Null if all reported counts are plausible. */
function plausibleUsage(usage: TokenUsage, bounds: RequestBounds): TokenUsage | null {
  // Every prompt has tokens: an endpoint that reports 0 does not count them.
  const input = usage.inputTokens === 0 ? null : plausibleTotal(usage.inputTokens, bounds.input, bounds);
  const output = plausibleTotal(usage.outputTokens, bounds.output, bounds);
  const isInput = input === usage.inputTokens;
  const isOutput = output === usage.outputTokens;
  const part = (count: number | null | undefined, total: number | null, isTotal: boolean): number | null =>
    isTotal && (count ?? 0) <= (total ?? Infinity) ? (count ?? null) : null;
  const plausible = {
    inputTokens: input,
    cachedTokens: part(usage.cachedTokens, input, isInput),
    cacheWriteTokens: part(usage.cacheWriteTokens, input, isInput),
    inputAudioTokens: part(usage.inputAudioTokens, input, isInput),
    outputTokens: output,
    reasoningTokens: part(usage.reasoningTokens, output, isOutput),
    outputAudioTokens: part(usage.outputAudioTokens, output, isOutput),
  };
  const names = Object.keys(plausible) as (keyof TokenUsage)[];
  return names.every((name) => plausible[name] === (usage[name] ?? null)) ? null : plausible;
}

const plausibleTotal = (count: number | null, bound: number, { window }: RequestBounds): number | null =>
  count !== null && count > mostBelieved(bound, window) ? bound : count;

/** The highest count that is charged as reported. */
export const mostBelieved = (bound: number, window: number): number => Math.max(plausibleFactor * bound, window);

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
