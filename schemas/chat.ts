/** A question to a model and its answer, free of transport. */
import type { StepName } from './states.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What is asked, free of transport. Its canonical JSON is part of the call key. A parameter that is absent is not sent. */
export interface ChatRequest {
  /** The name that the endpoint knows. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly parameters: {
    readonly temperature?: number;
    readonly topP?: number;
    readonly maxTokens?: number;
    readonly maxCompletionTokens?: number;
    readonly seed?: number;
    readonly logprobs?: boolean;
  };
  /** Answers asked for at once, at least 2; absent for one. No part of the call key: an answer stays the same answer however many came with it. */
  readonly n?: number;
}

/** Where the call sits in its study. A recording is looked up by it; an endpoint never sees it. */
export interface CallCoordinates {
  readonly study: string;
  readonly benchmark: string;
  readonly taskId: string;
  readonly sourceTaskId: string;
  readonly language: string;
  readonly step: StepName;
  readonly loop: number;
  readonly variant: string;
  readonly setting: string;
  readonly repetition: number;
  readonly ask: number;
  /** The first one asked for. */
  readonly sample: number;
  /** SHA-256 of the canonical request, which is without `n`. */
  readonly requestSha256: string;
}

/** One answer. Of several that one request brought, the first has the tokens of them all, and the others have null. */
export interface ChatReply {
  /** Raw text, exactly as it came; empty when there was none. */
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'content_filter' | 'refusal' | 'prompt_too_long' | 'reply_too_long' | 'other';
  /** Null where the endpoint does not say. */
  readonly returnedModel: string | null;
  readonly fingerprint: string | null;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** Parts of the prompt's and of the answers' tokens; absent where the endpoint does not say. */
  readonly cacheWriteTokens?: number | null;
  readonly inputAudioTokens?: number | null;
  readonly outputAudioTokens?: number | null;
  /** The usage as it was reported, JSON, where it cannot be; the counts are then those that are believed. */
  readonly usageReported?: string;
  /** Log-probability of each completion token, natural log; null where not given, or not believed. */
  readonly logprobs: readonly number[] | null;
  /** True where the text is no raw reply but what the authors of a recording took from it. */
  readonly extracted?: true;
  /** True where nobody answered: the run makes no call, and the one that it was made from did not ask. */
  readonly notAsked?: true;
  /** Why log-probabilities that were given are not believed. */
  readonly logprobFault?: string;
}
