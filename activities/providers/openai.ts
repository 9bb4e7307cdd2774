/** Chat completions from any OpenAI-compatible endpoint, through the `openai` client without its own retries. */
import type { APIError as ApiError } from 'openai';
import type { ChatReply, ChatRequest } from '../../schemas/chat.ts';
import { type Asked, type OpenAiApi, openAiApis } from './openai-apis.ts';
import { connectionFault, errorCode, loadClient, withoutEchoedKeys, withoutSecrets } from './openai-client.ts';
import { OpenAiBatches } from './batches/openai-batches.ts';
import { type FailureInBody, failureIn, parsedBody, replyWithout } from './openai-body.ts';
import { httpFault, type HttpFailure, isFiltered, isTooLong } from './openai-fault.ts';
import { billOf } from './failures/bill.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { keptHeaders } from './kept-headers.ts';
import { ProviderFault } from './provider.ts';
import type { Provider, SpecField } from './provider.ts';
import type { TokenUsage } from '../calls/token-usage.ts';
import { allowancesOf, type Allowances } from '../../domain/accounts/allowance.ts';
import { createWholeReplyFetch, ReplyTooLong, UnreadableReply, type WholeReplyInit } from './whole-reply-fetch.ts';
import { faultsText } from '../../domain/spec/faults-text.ts';

const defaultMaxReplyBytes = 8 * 1024 * 1024;
/** A streamed answer has an event of some 300 bytes for each token, which has some 4. */
const streamedBytesPerByte = 16;

export const createOpenAiProvider = (options: EndpointOptions): Provider => ({
  ...createCalls(options),
  batches: new OpenAiBatches(options),
});

function createCalls(options: EndpointOptions): Provider {
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const { api: apiName = 'chat', stream = false, maxReplyBytes = defaultMaxReplyBytes } = options;
  const api = openAiApis[apiName];
  const transport = createWholeReplyFetch(stream ? streamedBytesPerByte * maxReplyBytes : maxReplyBytes);
  let loading: ReturnType<typeof loadClient> | null = null;

  async function ask(
    request: ChatRequest,
    _coordinates: unknown,
    signal: AbortSignal,
    heard?: Heard,
  ): Promise<ChatReply[]> {
    loading ??= loadClient(baseUrl, transport.fetch, options);
    const { client, APIError } = await loading;
    signal.throwIfAborted();
    const deadline = startDeadline(options.timeoutMs, signal);
    const where = `${request.model} at ${baseUrl}`;
    const n = request.n ?? 1;
    try {
      const fetchOptions: WholeReplyInit = { redirect: 'manual', endedBy: deadline.signal };
      const response = await api.send(client, request, stream, { fetchOptions });
      heard?.(allowancesOf((name) => response.headers.get(name), Date.now()));
      const body = parsedBody(withoutEchoedKeys(await response.text(), options));
      const failure = failureIn(body);
      if (failure !== null)
        throw faultBehindSuccess(
          { ...failure, message: withoutSecrets(failure.message, options) },
          { headers: response.headers, bill: billOf(api, body) },
          n,
          where,
        );
      const { headers } = response;
      const clean = (text: string): string => withoutSecrets(text, options);
      const requestId = (id: string | null | undefined): string => clean(headers.get('x-request-id') ?? id ?? '');
      const replies = validReplies(api, body, { n, isStreamed: stream, requestId }, where);
      return withHeaders(withoutKeys(replies, options), headers, clean);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderFault) throw error;
      if (deadline.signal.aborted) throw billed(`${where}: no complete answer within ${options.timeoutMs} ms`, error);
      const unread = unreadFault(error, where);
      if (unread !== null) throw unread;
      const connectionCode = errorCode(error);
      if (!(error instanceof APIError))
        throw connectionCode === null ? error : connectionFault(connectionCode, where, baseUrl, error);
      if (error.status === undefined) throw connectionFault(connectionCode ?? error.message, where, baseUrl, error);
      const failure = httpFailure(api, error, error.status, withoutSecrets(error.message, options));
      const refused = refusedReplies(failure, n);
      if (refused !== null) return refused;
      throw httpFault(failure, n, where, Date.now());
    } finally {
      deadline.clear();
    }
  }

  return { kind: 'openai', endpointIdentity: `${baseUrl}${api.path}`, simulated: false, ask, close: transport.close };
}

/** A stream has a key in pieces until they are put together. */
const withoutKeys = (replies: readonly ChatReply[], options: EndpointOptions): ChatReply[] =>
  replies.map((reply) => ({
    ...reply,
    text: withoutEchoedKeys(reply.text, options),
    ...(reply.reasoning !== undefined && { reasoning: withoutEchoedKeys(reply.reasoning, options) }),
  }));

function withHeaders(replies: readonly ChatReply[], headers: Headers, clean: (text: string) => string): ChatReply[] {
  const kept = keptHeaders(headers, clean);
  return replies.map((reply) => ({ ...reply, ...kept }));
}

type Heard = (allowances: Allowances) => void;
const baseUrlField: SpecField = { of: 'provider', path: ['baseUrl'] };

/** Of an answer that came and could not be read; null for any other error. */
function unreadFault(error: unknown, where: string): ProviderFault | null {
  const tooLong = cause(error, ReplyTooLong);
  if (tooLong) return new ProviderFault('too long', `${where}: ${tooLong.message}`, { maybeBilled: true });
  const unreadable = cause(error, UnreadableReply);
  if (unreadable)
    return new ProviderFault('stop', `${where}: ${unreadable.message}`, { maybeBilled: true, specField: baseUrlField });
  if (error instanceof SyntaxError)
    return billed(`${where}: the answer is not complete JSON (${error.message})`, error);
  if (error instanceof RangeError) return billed(`${where}: the answer is nested too deeply to parse`, error);
  return null;
}

/** Finds an error of that class in the chain of causes. */
function cause<E extends Error>(error: unknown, kind: new (...args: never[]) => E): E | null {
  if (error instanceof kind) return error;
  return error instanceof Error && error.cause !== undefined ? cause(error.cause, kind) : null;
}

/**
 * A signal that fires when the caller's does or when the time is up. The client's own timeout covers only the headers.
 */
function startDeadline(timeoutMs: number, caller: AbortSignal): { readonly signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  caller.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      caller.removeEventListener('abort', abort);
    },
  };
}

function validReplies(api: OpenAiApi, body: unknown, asked: Asked, where: string): ChatReply[] {
  const read = api.read(body, asked);
  if ('replies' in read) return read.replies;
  const usage = api.usage(body);
  if ('malformed' in read)
    throw billed(`${where}: the answer is not a ${api.answer}: ${faultsText(read.malformed)}`, read.malformed, usage);
  const message = `${where}: the endpoint broke off the answer (${read.brokenOff})`;
  const { status } = read;
  if (status === undefined) throw billed(message, undefined, usage);
  const bill = billOf(api, body);
  throw new ProviderFault('retry', message, { httpStatus: status, ...(bill && { ...bill, maybeBilled: true }) });
}

/** A failure without a status may have been billed. */
function faultBehindSuccess(
  { status, message }: FailureInBody,
  { headers, bill }: Pick<HttpFailure, 'headers' | 'bill'>,
  n: number,
  where: string,
): ProviderFault {
  if (status === null) return billed(`${where}: ${message}`, undefined, bill?.usage);
  return httpFault({ status, message, headers, bill, code: null, param: null }, n, where, Date.now());
}

const httpFailure = (api: OpenAiApi, error: ApiError, status: number, message: string): HttpFailure => ({
  ...{ status, message, headers: error.headers },
  ...{ code: error.code ?? null, param: error.param ?? null, bill: billOf(api, error.error) },
});

/** A prompt that is refused stays so, which is a result for it; null for any other failure. */
function refusedReplies(failure: HttpFailure, n: number): ChatReply[] | null {
  const one = isFiltered(failure)
    ? replyWithout('content_filter', null)
    : isTooLong(failure)
      ? replyWithout('prompt_too_long', 0)
      : null;
  if (one === null) return null;
  return Array.from({ length: n }, (_, place) => (place === 0 ? { ...one, ...failure.bill?.usage } : one));
}

const billed = (message: string, cause: unknown, usage: TokenUsage | null = null): ProviderFault =>
  new ProviderFault('retry', message, { maybeBilled: true, cause, usage });
