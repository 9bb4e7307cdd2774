/** What of an exchange with an endpoint goes into a recording: the replies, and the request that they answer. */
import { canonicalJson, sha256 } from '../../domain/ids.ts';
import type { ChatReply } from '../../schemas/chat.ts';
import { isOfSimulatedModel } from '../../simulator/model.ts';
import {
  chatCompletionSchema,
  failureIn,
  parsedBody,
  refusalIn,
  repliesOf,
  replyWithout,
} from '../providers/openai-body.ts';
import { isFiltered, isTooLong } from '../providers/openai-fault.ts';
import { requestOfBody } from '../providers/openai-request.ts';

export interface Exchange {
  /** The body that was sent. */
  readonly sent: string;
  readonly status: number;
  /** The body that came back, unpacked. */
  readonly received: string;
}

export interface Recordable {
  /** Of evenkeel's canonical request, without `n`. */
  readonly requestSha256: string;
  /** As a study would read them; the first has the token counts of all. */
  readonly replies: readonly ChatReply[];
  readonly simulated: boolean;
}

/** Or, in words, why a study would not have kept a reply. */
export function recordableOf({ sent, status, received }: Exchange): Recordable | string {
  const asked = requestOfBody(jsonOf(sent));
  if (typeof asked === 'string') return asked;
  const replies =
    status >= 400 ? refusedReplies(status, received, asked.n) : answeredReplies(bodyOf(received), asked.n);
  if (replies.length === 0) return status === 200 ? 'an answer that is no chat completion' : `HTTP ${status}`;
  const simulated = isOfSimulatedModel(replies[0]?.fingerprint ?? null);
  return { requestSha256: sha256(canonicalJson(asked.request)), replies, simulated };
}

function answeredReplies(body: unknown, n: number): ChatReply[] {
  if (failureIn(body) !== null) return [];
  const completion = chatCompletionSchema.safeParse(body).data;
  return completion === undefined ? [] : repliesOf(completion, n, '');
}

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
