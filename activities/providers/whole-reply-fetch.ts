/** A `fetch` for replies that are read whole: half of the processor time of the built-in one, which makes a stream of every body. */
import { Agent, EnvHttpProxyAgent, request } from 'undici';

type Init = RequestInit & Partial<Pick<WholeReplyInit, 'endedBy'>>;
type Fetch = (input: string | URL | Request, init?: Init) => Promise<Response>;

/**
 * The client hands on what it does not know. A signal that is given to the client itself is composed anew for each call, which takes a
 * fifth of a call's processor time.
 */
export interface WholeReplyInit {
  readonly redirect: 'manual';
  readonly endedBy: AbortSignal;
}

export interface WholeReplyFetch {
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** No chat completion is as long; an endpoint that never stops sending must not fill the memory. */
const longestReplyBytes = 64 * 1024 * 1024;

/**
 * Redirects are not followed: a key goes to the host in the spec and to no other. How long a reply may take is for the caller's signal
 * alone. Proxies count as they do for the built-in one: where `NODE_USE_ENV_PROXY=1` says so.
 */
export function createWholeReplyFetch(): WholeReplyFetch {
  const options = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: longestReplyBytes };
  const dispatcher = process.env['NODE_USE_ENV_PROXY'] === '1' ? new EnvHttpProxyAgent(options) : new Agent(options);

  async function fetch(input: string | URL | Request, init: Init = {}): Promise<Response> {
    const { statusCode, headers, body } = await request(input instanceof Request ? input.url : input, {
      dispatcher,
      method: init.method === 'POST' ? 'POST' : 'GET',
      headers: headersToSend(init.headers instanceof Headers ? init.headers : new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : null,
      signal: init.endedBy ?? init.signal ?? null,
    });
    return wholeReply(statusCode, headers, await body.text());
  }

  return { fetch, close: () => dispatcher.close() };
}

/** Without what the `openai` client tells of itself and this machine (`x-stainless-os` and its like): half of the headers, of no use to an answer. */
function headersToSend(headers: Headers): Record<string, string> {
  const sent: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (!name.startsWith('x-stainless-')) sent[name] = value;
  });
  return sent;
}

type HeaderValues = Readonly<Record<string, string | string[] | undefined>>;

/** What the `openai` client reads of a reply. A real `Response` makes a stream of the text again: a tenth of all that a call takes. */
function wholeReply(status: number, values: HeaderValues, text: string): Response {
  const ok = status >= 200 && status < 300;
  const reply = { status, ok, headers: ok ? plainHeaders(values) : realHeaders(values), url: '', body: null, text: async () => text };
  return reply as Pick<Response, keyof typeof reply> as Response;
}

/** Of an answer the client asks for single headers at most: their names are in lower case here. */
const plainHeaders = (values: HeaderValues): Headers => new Map(Object.entries(values)) as unknown as Headers;

const realHeaders = (values: HeaderValues): Headers =>
  new Headers(Object.entries(values).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one])));
