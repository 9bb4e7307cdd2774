/** The two protocols of OpenAI-compatible endpoints: what is sent, and where replies are in what comes back. */
import type { OpenAI } from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import type { z } from 'zod';
import type { ChatReply, ChatRequest } from '../../schemas/chat.ts';
import type { ApiName } from '../../schemas/spec/account.ts';
import { brokenOffReason, chatCompletionSchema, chatUsage, repliesOf, requestBody } from './openai-body.ts';
import { responseBody, responseFailure, responseReply, responseSchema, responseUsage } from './responses-body.ts';
import type { TokenUsage } from '../calls/token-usage.ts';
import type { WholeReplyInit } from './whole-reply-fetch.ts';

/** Replies in an answer, or the reason why it has none. */
export type RepliesIn =
  | { readonly replies: ChatReply[] }
  | { readonly malformed: z.ZodError }
  | { readonly brokenOff: string; readonly status?: number };

export interface OpenAiApi {
  /** What the base URL is extended with in the identity of an endpoint. */
  readonly path: '' | '/responses';
  /** What the base URL is extended with in a request. */
  readonly route: '/chat/completions' | '/responses';
  /** What an answer is called. */
  readonly answer: string;
  /** What is sent, but for the parameters of a stream. */
  body(request: ChatRequest): object;
  send(client: OpenAI, request: ChatRequest, isStreamed: boolean, options: SendOptions): Promise<Response>;
  read(body: unknown, asked: Asked): RepliesIn;
  /** What an answer without a usable reply says it used; null if it does not say. */
  usage(body: unknown): TokenUsage | null;
}

export interface Asked {
  readonly n: number;
  /** Whether a stream was requested: a choice in it that does not say how it ended was cut off. */
  readonly isStreamed: boolean;
  /** The request's id, by the answer's own. */
  readonly requestId: (id: string | null | undefined) => string;
}

interface SendOptions {
  readonly fetchOptions: WholeReplyInit;
}

/** The last chunk of a stream then has the usage. */
const streamed = { stream: true, stream_options: { include_usage: true } };

const chat: OpenAiApi = {
  path: '',
  route: '/chat/completions',
  answer: 'chat completion',
  body: requestBody,
  send(client, request, isStreamed, options) {
    // The client's type knows OpenAI's parameters and values only; endpoints have more.
    const body = { ...requestBody(request), ...(isStreamed && streamed) } as ChatCompletionCreateParams;
    return client.chat.completions.create(body, options).asResponse();
  },
  read(body, { n, isStreamed, requestId }) {
    const checked = chatCompletionSchema.safeParse(body);
    if (!checked.success) return { malformed: checked.error };
    if (isStreamed && checked.data.choices.some(({ finish_reason: reason }) => reason == null))
      return { brokenOff: 'the stream has no finish reason' };
    const replies = repliesOf(checked.data, n, requestId(checked.data.id));
    return replies.length > 0 ? { replies } : { brokenOff: checked.data.choices.map(brokenOffReason).join(', ') };
  },
  usage: chatUsage,
};

const responses: OpenAiApi = {
  path: '/responses',
  route: '/responses',
  answer: 'response',
  body: responseBody,
  send(client, request, isStreamed, options) {
    const body = { ...responseBody(request), ...(isStreamed && { stream: true }) } as ResponseCreateParams;
    return client.responses.create(body, options).asResponse();
  },
  read(body, { requestId }) {
    const checked = responseSchema.safeParse(body);
    if (!checked.success) return { malformed: checked.error };
    const failure = responseFailure(checked.data);
    return failure ?? { replies: [responseReply(checked.data, requestId(checked.data.id))] };
  },
  usage: responseUsage,
};

export const openAiApis: Readonly<Record<ApiName, OpenAiApi>> = { chat, responses };
