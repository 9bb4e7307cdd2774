/** A cheap look at an endpoint before a run is made: is anything there, is it an API, does it take the key? */
import { createWholeReplyFetch } from './whole-reply-fetch.ts';

export interface Endpoint {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Why an endpoint cannot be asked, what to do, and which key of the spec is to blame. */
export interface Unreachable {
  readonly key: 'baseUrl' | 'apiKeyEnv';
  readonly rule: string;
}

/** More of a probe's reply is not read. */
const longestProbeReply = 1024 * 1024;

/** Null where the endpoint can be asked. What it says of itself in passing (429, 5xx, 403) is left to the run, which waits or stops a model. */
export async function probeEndpoint({ baseUrl, headers }: Endpoint, limitMs: number): Promise<Unreachable | null> {
  const transport = createWholeReplyFetch(longestProbeReply);
  const endedBy = AbortSignal.timeout(limitMs);
  const ask = async (path: string, body?: string): Promise<Reply> => {
    const sent = { accept: 'application/json', ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
    const method = body === undefined ? 'GET' : 'POST';
    const init = { method, headers: sent, ...(body !== undefined && { body }), redirect: 'manual', endedBy } as const;
    const reply = await transport.fetch(`${baseUrl.replace(/\/+$/, '')}/${path}`, init);
    return { status: reply.status, text: await reply.text() };
  };
  try {
    const models = await ask('models');
    if (models.status !== 404) return faultOf(models, baseUrl);
    // Not every endpoint lists its models; an empty question is refused wherever there is somebody to refuse it, and costs nothing.
    const chat = await ask('chat/completions', '{}');
    return chat.status === 404 && !/\bmodel\b/i.test(chat.text) ? wrongPath(baseUrl) : faultOf(chat, baseUrl);
  } catch (error) {
    return { key: 'baseUrl', rule: endedBy.aborted ? silent(baseUrl, limitMs) : unconnected(baseUrl, error) };
  } finally {
    // A connection that hangs is not waited for.
    void transport.close().catch(() => undefined);
  }
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

function faultOf({ status, text }: Reply, baseUrl: string): Unreachable | null {
  if (status === 401) return { key: 'apiKeyEnv', rule: `${baseUrl} answers 401: it does not take this key; correct the variable's value` };
  if (status >= 300 && status < 400)
    return { key: 'baseUrl', rule: `${baseUrl} answers ${status}, a redirect, which a key is not sent after; name the API's own address` };
  if (status < 500 && /^\s*</.test(text))
    return {
      key: 'baseUrl',
      rule: `${baseUrl} answers with a web page, not with JSON; name the API's address, up to and with the version`,
    };
  return null;
}

const wrongPath = (baseUrl: string): Unreachable => ({
  key: 'baseUrl',
  rule: `${baseUrl} has neither /models nor /chat/completions (404); name the API's address up to and with the version, as https://api.openai.com/v1`,
});

const silent = (baseUrl: string, limitMs: number): string =>
  `${baseUrl} did not answer within ${limitMs / 1000} s; start the server, or correct the address`;

function unconnected(baseUrl: string, error: unknown): string {
  const code = codeOf(error);
  const { host, hostname } = new URL(baseUrl);
  if (code === 'ECONNREFUSED') return `nothing listens at ${host} (connection refused); start the server, or correct the address`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `the name ${hostname} is not known to DNS (${code}); correct the address, or mend the network`;
  return `${host} cannot be reached (${code ?? String(error)}); correct the address, or mend the network`;
}

/** The system's code, wherever in the chain of causes; of several addresses that were tried, the first one's. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  return codeOf(error instanceof AggregateError ? error.errors[0] : error.cause);
}
