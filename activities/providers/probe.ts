/** Probes an endpoint before a run is created: does it answer, is it an API, does it accept the key? */
import { z } from 'zod';
import type { ApiName } from '../../schemas/spec/account.ts';
import { throughProxy } from './failures/used-proxy.ts';
import { tlsRefusal } from './tls-refusal.ts';
import { createWholeReplyFetch } from './whole-reply-fetch.ts';

export interface Endpoint {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why an endpoint cannot be asked, with the remedy and the spec key to change. */
export interface Unreachable {
  readonly key: 'baseUrl' | 'apiKeyEnv';
  readonly rule: string;
}

/** Bytes of a probe's reply that are read at most: OpenRouter's list of models has two thirds of a mebibyte. */
const longestProbeReply = 8 * 1024 * 1024;

/** Paths below the account's base URL. */
export interface ProbedPaths {
  /** Lists the models. */
  readonly list: string;
  /** Accepts questions as JSON. */
  readonly ask: string;
  /** Example of a base URL. */
  readonly example: string;
}

export interface ProbedEndpoint {
  /** Null if the endpoint can be asked. */
  readonly fault: Unreachable | null;
  /** The models that it lists; null if it lists none, or only some. */
  readonly models: readonly string[] | null;
}

/** The paths for models that are asked by this API. */
export const pathsOfApi = (paths: ProbedPaths, api: ApiName): ProbedPaths =>
  api === 'responses' ? { ...paths, ask: 'responses' } : paths;

/** Temporary failures (429, 5xx, 403) are left to the run, which waits or stops a model. */
export function probeEndpoint(endpoint: Endpoint, paths: ProbedPaths, limitMs: number): Promise<ProbedEndpoint> {
  const { baseUrl } = endpoint;
  return probing(endpoint, limitMs, async (ask) => {
    const models = await ask(paths.list);
    if (models.status !== 404) return { fault: faultOf(models, baseUrl), models: listedIn(models) };
    // Not every endpoint lists its models. Any endpoint refuses an empty question, at no cost.
    const chat = await ask(paths.ask, '{}');
    const isMissing = chat.status === 404 && !/\bmodel\b/i.test(chat.text);
    return { fault: isMissing ? wrongPath(baseUrl, paths) : faultOf(chat, baseUrl), models: null };
  }).catch((error: unknown) => ({ fault: { key: 'baseUrl', rule: (error as Error).message }, models: null }));
}

/** Asks for a path with GET, or posts a JSON body to it. */
export type ProbingAsk = (path: string, body?: string) => Promise<Reply>;

/** Connects for a few questions. Rejects with words for the user if no answer comes within the limit. */
export async function probing<T>(
  { baseUrl, headers }: Endpoint,
  limitMs: number,
  questions: (ask: ProbingAsk) => Promise<T>,
): Promise<T> {
  const transport = createWholeReplyFetch(longestProbeReply);
  const endedBy = AbortSignal.timeout(limitMs);
  const ask: ProbingAsk = async (path, body) => {
    const sent = {
      accept: 'application/json',
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, headers: sent, ...(body !== undefined && { body }), redirect: 'manual', endedBy } as const;
    const reply = await transport.fetch(`${baseUrl.replace(/\/+$/, '')}/${path}`, init);
    return { status: reply.status, text: await reply.text() };
  };
  try {
    return await questions(ask);
  } catch (error) {
    throw new Error(endedBy.aborted ? silent(baseUrl, limitMs) : unansweredText(baseUrl, error), { cause: error });
  } finally {
    // Do not wait for a hanging connection.
    void transport.close().catch(() => undefined);
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

const listSchema = z.object({
  data: z.array(z.object({ id: z.string() })).min(1),
  // Anthropic lists 20 at a time.
  has_more: z.literal(false).nullish(),
});

function listedIn({ status, text }: Reply): string[] | null {
  if (status !== 200) return null;
  try {
    return listSchema.safeParse(JSON.parse(text)).data?.data.map(({ id }) => id) ?? null;
  } catch {
    return null;
  }
}

function faultOf({ status, text }: Reply, baseUrl: string): Unreachable | null {
  if (status === 401)
    return {
      key: 'apiKeyEnv',
      rule: `${baseUrl} answers 401: the endpoint rejects this key; correct the variable's value`,
    };
  if (status >= 300 && status < 400)
    return {
      key: 'baseUrl',
      rule: `${baseUrl} answers ${status}, a redirect; keys are not sent to redirects; give the API's own address`,
    };
  if (status < 500 && /^\s*</.test(text))
    return {
      key: 'baseUrl',
      rule: `${baseUrl} answers with a web page instead of JSON; give the API's address, including the version`,
    };
  return null;
}

const wrongPath = (baseUrl: string, { list, ask, example }: ProbedPaths): Unreachable => ({
  key: 'baseUrl',
  rule:
    `${baseUrl} has neither /${list} nor /${ask} (404); ` +
    `give the API's address including the version, such as ${example}`,
});

const silent = (baseUrl: string, limitMs: number): string =>
  `${baseUrl} did not answer within ${limitMs / 1000} s` +
  (throughProxy(baseUrl, null) || '; start the server, or correct the address');

/** Codes of connections that came about and were lost: the endpoint may have read the request. */
const lost: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Why there is no answer, and what to do. Where a proxy is in use, the connection was one to it. */
export function unansweredText(baseUrl: string, error: unknown): string {
  const code = codeOf(error);
  const { host, hostname } = new URL(baseUrl);
  const tls = code === null ? null : tlsRefusal(code);
  const through = throughProxy(baseUrl, code);
  if (code !== null && lost.has(code))
    return (
      `the connection to ${host} was closed before an answer (${code})` +
      (through || "; look at the server's log, or correct the address")
    );
  if (through !== '' && tls === null) return `${host} cannot be reached (${code ?? String(error)})${through}`;
  if (code === 'ECONNREFUSED')
    return `nothing listens at ${host} (connection refused); start the server, or correct the address`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `DNS does not know the name ${hostname} (${code}); correct the address, or check the network`;
  if (tls !== null) return `${host} cannot be asked: ${tls}`;
  return `${host} cannot be reached (${code ?? String(error)}); correct the address, or check the network`;
}

/** Finds the system's error code in the chain of causes; if several addresses were tried, that of the first. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}
