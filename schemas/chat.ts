/** A question to a model and its answer, independent of any provider's protocol. */
import type { ModelParameters } from './spec/parameters.ts';
import type { StepName } from './states.ts';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a request sends beside its question. A parameter that is absent is not sent. */
export type SentParameters = {
  readonly [Name in Exclude<keyof ModelParameters, 'logprobs'>]?: NonNullable<ModelParameters[Name]>;
} & { readonly logprobs?: boolean };

/** A question to a model. Its canonical JSON is part of the call key. */
export interface ChatRequest {
  /** The name that the endpoint knows. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly parameters: SentParameters;
  /**
   * Answers requested at once, at least 2; absent for one. Not part of the call key, which identifies one answer
   * however many others came with it.
   */
  readonly n?: number;
}

/** The position of a call in its study. Recordings are looked up by it; an endpoint never sees it. */
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
  /** Index of the first draw requested. */
  readonly sample: number;
  /** SHA-256 of the canonical request, without `n`. */
  readonly requestSha256: string;
  /** The same of the request without white space that says nothing; absent where all of it counts. */
  readonly plainSha256?: string;
}

/** What another tool found when it judged an answer. */
export interface RecordedVerdict {
  /** The tool, and its scorer if it has several: `evalplus`, `inspect/verify`. */
  readonly by: string;
  /** The suite that it ran; "all suites" for a verdict on all tests of the task. */
  readonly suite: string;
  readonly passed: boolean;
}

/** One answer. If a request brought several, the first carries the token counts of all, and the others have null. */
export interface ChatReply {
  /** Raw text, unchanged; empty when the reply has none. */
  readonly text: string;
  /** Thoughts that came apart from the text; absent if there are none. */
  readonly reasoning?: string;
  readonly finishReason:
    | 'stop'
    | 'length'
    | 'content_filter'
    | 'refusal'
    | 'prompt_too_long'
    | 'reply_too_long'
    | 'other';
  /** Null if the endpoint does not report it. */
  readonly returnedModel: string | null;
  readonly fingerprint: string | null;
  /** Who served the answer behind a gateway; absent if the gateway does not say, or there is none. */
  readonly backend?: string;
  /** The endpoint's id of the request; absent if it sends none. */
  readonly requestId?: string;
  /** Headers of the answer that say who answered; absent if it has none. Several answers to a request share them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly reasoningTokens: number | null;
  /** Parts of the input and output tokens; absent if the endpoint does not report them. */
  readonly cacheWriteTokens?: number | null;
  readonly inputAudioTokens?: number | null;
  readonly outputAudioTokens?: number | null;
  /** The reported usage as JSON, only if it is impossible; the counts above are then corrected ones. */
  readonly usageReported?: string;
  /** Log-probability of each completion token, natural log; null if absent or implausible. */
  readonly logprobs: readonly number[] | null;
  /** True if the text is not the raw reply but what the authors of a recording extracted from it. */
  readonly extracted?: true;
  /** The verdicts of another tool, in a recording that was imported from it. */
  readonly recorded?: readonly RecordedVerdict[];
  /** True if there is no answer: the run makes no calls, and the run it was made from did not ask this. */
  readonly notAsked?: true;
  /** Why the log-probabilities that came were rejected. */
  readonly logprobFault?: string;
}
