/** Turns a study's question into the request for one model, whose own parameters override the study's decoding. */
import type { ChatMessage, ChatRequest } from '../schemas/chat.ts';

/** Overrides of the study's decoding; null means that a parameter is not sent. */
export type ParameterOverrides = Readonly<Record<string, number | null | undefined>>;

/** `maxCompletionTokens` replaces `maxTokens`, because models that take the one refuse the other. */
export function chatRequest(
  model: string,
  messages: readonly ChatMessage[],
  decoding: ChatRequest['parameters'],
  overrides: ParameterOverrides,
): ChatRequest {
  const merged = { ...decoding, ...overrides };
  const replaced = merged.maxCompletionTokens == null ? null : 'maxTokens';
  const sent = Object.entries(merged).filter(
    ([name, value]) => value !== null && value !== undefined && name !== replaced,
  );
  return { model, messages, parameters: Object.fromEntries(sent) };
}

/** The most tokens that the request allows an answer; null if it sets no limit. */
export const outputLimit = ({ maxCompletionTokens, maxTokens }: ChatRequest['parameters']): number | null =>
  maxCompletionTokens ?? maxTokens ?? null;
