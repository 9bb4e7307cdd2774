/** What of an exchange with an endpoint goes into a recording: the replies, and the request that they answer. */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import { isOfSimulatedModel } from '../../simulator/model.ts';
import type { ApiName } from '../../schemas/spec/account.ts';
import { openAiApis } from '../providers/openai-apis.ts';
import { failureIn, parsedBody, refusalIn, replyWithout } from '../providers/openai-body.ts';
import { withoutKeys } from '../providers/openai-client.ts';
import { isFiltered, isTooLong } from '../providers/openai-fault.ts';
import { requestOfBody, type RequestRead } from './openai-request.ts';
import { requestOfResponsesBody } from './responses-request.ts';

export interface Exchange {
  readonly api: ApiName;
  /** The body that was sent. */
  readonly sent: string;
  readonly status: number;
  /** The body that came back, unpacked. */
  readonly received: string;
  /** The keys that the request carried: an endpoint may echo them. */
  readonly keys: readonly string[];
}

export interface Recordable {
  /** Of evenkeel's canonical request, without `n`. */
  readonly requestSha256: string;
  /** As a study would read them; the first has the token counts of all. */
  readonly replies: readonly ChatReply[];
  readonly simulated: boolean;
}

const readers: Readonly<Record<ApiName, (body: unknown) => RequestRead | string>> = {
  chat: requestOfBody,
  responses: requestOfResponsesBody,
};

/** The protocol of a request to this path; null for one that asks nothing. */
export const apiOfPath = (path: string): ApiName | null =>
  (Object.keys(readers) as ApiName[]).find((api) => path.endsWith(openAiApis[api].route)) ?? null;

/** Or, in words, why a study would not have kept a reply. */
export function recordableOf({ api, sent, status, keys, ...exchange }: Exchange): Recordable | string {
  const body = jsonOf(sent);
  const asked = readers[api](body);
  if (typeof asked === 'string') return asked;
  const received = withoutKeys(exchange.received, keys);
  const replies =
    status >= 400
      ? refusedReplies(status, received, asked.n)
      : answeredReplies(api, bodyOf(received), { n: asked.n, isStreamed: isStreamed(body) });
  if (replies.length === 0) return status === 200 ? `an answer that is no ${openAiApis[api].answer}` : `HTTP ${status}`;
  const simulated = isOfSimulatedModel(replies[0]?.fingerprint ?? null);
  return {
    requestSha256: sha256(canonicalJson(asked.request)),
    replies: replies.map((reply) => cleanReply(reply, keys)),
    simulated,
  };
}

/** A stream has a key in pieces until they are put together. */
const cleanReply = (reply: ChatReply, keys: readonly string[]): ChatReply => ({
  ...reply,
  text: withoutKeys(reply.text, keys),
  ...(reply.reasoning !== undefined && { reasoning: withoutKeys(reply.reasoning, keys) }),
});

function answeredReplies(api: ApiName, body: unknown, asked: { n: number; isStreamed: boolean }): readonly ChatReply[] {
  if (failureIn(body) !== null) return [];
  const read = openAiApis[api].read(body, { ...asked, requestId: () => '' });
  return 'replies' in read ? read.replies : [];
}

const isStreamed = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'stream' in body && body.stream === true;

/** A prompt that a filter refused, or that is too long, stays so: a study keeps that as its reply. */
function refusedReplies(status: number, received: string, n: number): ChatReply[] {
  const failure = { status, headers: undefined, ...refusalIn(received) };
  if (isFiltered(failure)) return Array.from({ length: n }, () => replyWithout('content_filter', null));
  if (isTooLong(failure)) return Array.from({ length: n }, () => replyWithout('prompt_too_long', 0));
  return [];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function bodyOf(text: string): unknown {
  try {
    return parsedBody(text);
  } catch {
    return null;
  }
}
