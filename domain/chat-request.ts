/** Turns a study's question into the request for one model, whose own parameters override the study's decoding. */
import type { ChatMessage, ChatRequest, SentParameters } from '../schemas/chat.ts';
import type { ModelParameters, ReasoningEffort } from '../schemas/spec/parameters.ts';

/** The part of a study's decoding that decides the limit of an answer. */
export const decodingOf = (maxTokens: number | null, effort: ReasoningEffort | null): SentParameters => ({
  ...(maxTokens !== null && { maxTokens }),
  ...(effort !== null && { reasoningEffort: effort }),
});

/** Absent and null parameters are not sent. */
export function chatRequest(
  model: string,
  messages: readonly ChatMessage[],
  decoding: SentParameters,
  overrides: ModelParameters,
): ChatRequest {
  const merged = { ...decoding, ...overrides };
  const sent = Object.entries(merged).filter(
    ([name, value]) =>
      value !== null && value !== undefined && !(name === 'maxTokens' && isReplaced(merged, overrides)),
  );
  return { model, messages, parameters: Object.fromEntries(sent) };
}

/**
 * Whether `maxTokens` is left out. `maxCompletionTokens` replaces it, because models that take the one refuse the
 * other. A study's own limit does not apply to a model that is told how much to think: its thoughts would use it up
 * before the answer begins.
 */
const isReplaced = (
  merged: Pick<ModelParameters, 'maxCompletionTokens' | 'reasoningEffort'>,
  overrides: ModelParameters,
): boolean => merged.maxCompletionTokens != null || (merged.reasoningEffort != null && overrides.maxTokens == null);

/**
 * The request without the limit that its study sets; unchanged if the model has its own limit.
 * @param overrides the model's parameters that the request was made with
 */
export function withoutStudyLimit(request: ChatRequest, overrides: ModelParameters): ChatRequest {
  if (overrides.maxTokens != null || request.parameters.maxTokens === undefined) return request;
  const { maxTokens: _studys, ...parameters } = request.parameters;
  return { ...request, parameters };
}

/** How much the model is told to think; null if it is not told. */
export const effortSent = (decoding: SentParameters, overrides: ModelParameters): ReasoningEffort | null =>
  ({ ...decoding, ...overrides }).reasoningEffort ?? null;

/** The most tokens that the request allows an answer; null if it sets no limit. */
export const outputLimit = ({ maxCompletionTokens, maxTokens }: SentParameters): number | null =>
  maxCompletionTokens ?? maxTokens ?? null;
