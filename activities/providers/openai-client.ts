/** The `openai` client for an account, without its own retries, and what its errors mean. */
import type { EndpointOptions } from './endpoint-options.ts';
import { isProxyRefusal, throughProxy } from './failures/used-proxy.ts';
import { ProviderFault } from './provider.ts';
import { mayBeName } from './secret.ts';
import { tlsRefusal } from './tls-refusal.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Loaded on the first call: importing the client takes 90 ms. */
export async function loadClient(baseUrl: string, fetch: Fetch, { apiKey, headers, timeoutMs }: EndpointOptions) {
  const { OpenAI, APIError } = await import('openai');
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: timeoutMs + 1_000,
    logLevel: 'off',
    fetch,
    defaultHeaders: { ...(apiKey === null && { authorization: null }), ...headers },
  });
  return { client, APIError };
}

/** Codes of connection failures before the request was sent. */
const notSent: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** @param where model and endpoint, for messages */
export function connectionFault(code: string, where: string, baseUrl: string, cause: unknown): ProviderFault {
  const through = throughProxy(baseUrl, code);
  if (!notSent.has(code) && tlsRefusal(code) === null && !isProxyRefusal(code))
    return new ProviderFault('retry', `${where}: connection lost (${code})${through}`, { maybeBilled: true, cause });
  const unsent = `no connection (${code})${through}`;
  return new ProviderFault('retry', `${where}: ${unsent}`, { unsent, cause });
}

/** Finds the system's error code in the chain of causes. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return code ?? errorCode(error.cause);
}

export const withoutSecrets = (text: string, options: EndpointOptions): string =>
  masked(
    text,
    secretsOf(options).filter((secret) => secret.length >= 4),
  );

/** What an endpoint echoes into an answer, without keys. A program may hold the address of a site, so that stays. */
export const withoutEchoedKeys = (answer: string, { apiKey, headers = {} }: EndpointOptions): string =>
  withoutKeys(
    answer,
    secretsOf({
      apiKey,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !publicHeaders.has(name.toLowerCase()))),
    }),
  );

/** Headers that say who asks, not whether they may. */
const publicHeaders: ReadonlySet<string> = new Set([
  ...['http-referer', 'referer', 'x-title', 'user-agent', 'openai-organization', 'openai-project'],
  ...['anthropic-version', 'anthropic-beta'],
]);

/** All headers of an account are from `headersEnv`, so whatever their names are, their values are secrets. */
const secretsOf = ({ apiKey, headers = {} }: Pick<EndpointOptions, 'apiKey' | 'headers'>): string[] => [
  apiKey ?? '',
  ...Object.values(headers).map(withoutScheme),
  ...Object.values(headers),
];

/** `KEY` of `Bearer KEY`. */
export const withoutScheme = (value: string): string =>
  value.replace(/^\s*(?:basic|bearer|key|token|api-?key)\s+(?=\S)/i, '').trim();

/** A shorter key may be a word of the answer; `not_needed` and the like may be names in its program. */
export const withoutKeys = (answer: string, keys: readonly string[]): string =>
  masked(
    answer,
    keys.filter((key) => key.length >= 16 && !mayBeName(key)),
  );

/** Also as JSON and as an address write them. */
const masked = (text: string, secrets: readonly string[]): string =>
  [...new Set(secrets.flatMap(formsOf))].reduce((clean, form) => clean.replaceAll(form, '[secret]'), text);

const formsOf = (secret: string): string[] => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
